import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { configuredPages } from '../app/configured-pages';
import type { Config } from '../config/config';
import type { VerifiedReport } from '../contracts/verification/verified-report';
import { splitFrontMatter } from '../sources/formats/front-matter';
import type { ImportedPages, PageReader } from '../sources/pages/page-reader';
import { readSources } from '../sources/read-sources';
import { readWholeSources } from '../sources/read-whole-sources';
import type { SourceReading } from '../sources/source-reading';
import { annotateReport, withoutAnnotations } from '../verification/report/annotate-report';
import type { GivenSource } from '../verification/report/given-source';
import { type HeldSources, holdSources } from '../verification/report/held-sources';
import { CITES_NOTHING, verifyHeld } from '../verification/report/verify-report';
import type { CommandContext } from './command-context';
import { ExitCode } from './exit-code';
import { UsageError } from './failures/usage-error';
import { writeChosenFile } from './request/chosen-file';
import type { ReportFile } from './request/report-file';
import type { VerifyRequest } from './request/verify-request';
import { verifiedLines } from './results/verified-lines';
import { safeExcerpt, safeJson } from './terminal/safe-text';
import type { Terminal } from './terminal/terminal';

/** Verifies a report in this process, and leaves what was asked for, whatever becomes of the critic. */
export async function runVerify(context: CommandContext, request: VerifyRequest): Promise<ExitCode> {
  const { terminal } = context;
  const display = showStep(terminal);
  const { report, annotate, out } = request;
  let verified: VerifiedReport;
  try {
    verified = await verifyWith(context, request, display);
  } finally {
    display.end();
  }
  if (verified.claims.length === 0) {
    throw new UsageError([
      `REPORT ${report.file}: ${CITES_NOTHING}`,
      ...verified.problems
        .filter(({ kind }) => kind === 'not-read')
        .map(({ line, message }) => `Line ${line ?? 1}: ${message}`),
    ]);
  }
  if (annotate !== null) {
    const annotated = `${report.byteOrderMark}${annotateReport(report.markdown, verified)}`;
    await writeChosenFile('--annotate', annotate, context.io.cwd, annotated);
  }
  if (out !== null) await writeChosenFile('--out', out, context.io.cwd, `${safeJson(verified)}\n`);
  if (request.json) terminal.printJson(verified);
  else for (const line of verifiedLines(verified, terminal)) terminal.print(line);
  tellOfCritic(context, verified);
  if (verified.critic?.ended?.by === 'endpoint') return ExitCode.unreachable;
  return exitCodeOf(context, verified, request);
}

async function verifyWith(
  context: CommandContext,
  request: VerifyRequest,
  display: StepDisplay,
): Promise<VerifiedReport> {
  const { report, critic } = request;
  display.update('Reading the sources');
  const { sources, warnings } = await readGiven(context, request, display);
  for (const { message } of warnings) display.note(`Warning: ${safeExcerpt(message, 300)}`);
  display.update(`Preparing ${sources.length} sources`);
  const held = holdSources(sources, [report.markdown]);
  const verified = verifyHeld(report.markdown, sources, held, {
    onProgress: ({ done, claims }) => display.update(`Verified ${done} of ${claims} claims`),
  });
  if (critic === null || verified.claims.length === 0) return verified;
  return withCritic(verified, critic, { sources, held }, display);
}

async function readGiven(
  { io, loadConfig }: CommandContext,
  { report, paths, skipInvalid }: VerifyRequest,
  display: StepDisplay,
): Promise<{ sources: GivenSource[]; warnings: { message: string }[] }> {
  const opened: ImportedPages[] = [];
  // Settings are read for the first address: what only words decide needs none.
  const pages: PageReader = {
    async *read(addresses, formats) {
      if (opened.length === 0) opened.push(configuredPages(loadConfig(), null).open({ runId: 'verified' }));
      for (const reader of opened) yield* reader.read(addresses, formats);
    },
  };
  try {
    const others = withoutReport(readSources(paths, { cwd: io.cwd, pages }), report, io.cwd, (file) =>
      display.note(`${safeExcerpt(file, 200)} is the report itself, and is no source of its own.`),
    );
    return await readWholeSources(others, { skipInvalid });
  } finally {
    for (const reader of opened) await reader.close();
  }
}

async function withCritic(
  verified: VerifiedReport,
  config: Config,
  given: { sources: readonly GivenSource[]; held: HeldSources },
  display: StepDisplay,
): Promise<VerifiedReport> {
  // What only words decide loads nothing of models and stores.
  const { openCritic } = await import('../app/critic/open-critic.js');
  const { askOfReport } = await import('../app/critic/ask-of-report.js');
  const critic = await openCritic(config);
  try {
    return await askOfReport(verified, {
      ...given,
      critic,
      limits: config.budget,
      signal: new AbortController().signal,
      onProgress: ({ done, claims }) => display.update(`The critic decided ${done} of ${claims} claims`),
    });
  } finally {
    await critic.close();
  }
}

/** What keeps its answers from being whole; on standard error, as the report itself is told all the same. */
function tellOfCritic({ terminal }: CommandContext, { critic }: VerifiedReport): void {
  if (critic === null) return;
  for (const { message } of critic.warnings) terminal.say(`Warning: ${safeExcerpt(message, 300)}`);
  if (critic.ended === null) return;
  const { unasked, ended } = critic;
  const left =
    unasked === 0
      ? 'It was asked about every claim, and not where else they may stand.'
      : `It was not asked about ${unasked} of the claims, which stay as words have them.`;
  terminal.say(
    `The critic ended early. ${safeExcerpt(ended.message, 500)} ${left} What it answered is kept: the same command goes on from there.`,
  );
}

/** A report that lies among its sources, or was annotated there, would bear itself out. */
async function* withoutReport(
  readings: AsyncIterable<SourceReading>,
  { realPath, markdown }: ReportFile,
  cwd: string,
  onReport: (file: string) => void,
): AsyncGenerator<SourceReading> {
  const own = bodyOf(markdown);
  for await (const reading of readings) {
    const isReport =
      reading.ok &&
      ((await realpath(resolve(cwd, reading.file)).catch(() => reading.file)) === realPath ||
        withoutAnnotations(reading.record.content).trim() === own);
    if (isReport) onReport(reading.file);
    else yield reading;
  }
}

function bodyOf(markdown: string): string {
  const parts = splitFrontMatter(markdown);
  return (parts.ok ? parts.content : markdown).trim();
}

function exitCodeOf(
  { terminal }: CommandContext,
  { audit: { supported, claims } }: VerifiedReport,
  { failUnder }: VerifyRequest,
): ExitCode {
  if (failUnder === null || supported >= failUnder * claims) return ExitCode.ok;
  const share = ((100 * supported) / claims).toFixed(1);
  terminal.say(
    `${supported} of ${claims} claims are supported (${share}%), fewer than the ${Number((100 * failUnder).toFixed(2))}% of --fail-under.`,
  );
  return ExitCode.failed;
}

interface StepDisplay {
  update(step: string): void;
  /** A line of its own, watched or not. */
  note(line: string): void;
  end(): void;
}

const REDRAW_MS = 100;
const CLEARED = '\r\u001b[2K';

/** Drawn at once, as what it tells of may leave no turn to a timer. */
function showStep({
  say,
  isWatched,
  progressTarget,
}: Pick<Terminal, 'say' | 'isWatched' | 'progressTarget'>): StepDisplay {
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = (): void => {
    if (isWatched) progressTarget.write(CLEARED);
  };
  return {
    update(step) {
      if (!isWatched || Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      progressTarget.write(`${CLEARED}${step}`);
    },
    note(line) {
      clear();
      say(line);
    },
    end: clear,
  };
}
