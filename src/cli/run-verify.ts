import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../app/config';
import { configuredPages } from '../app/web-access';
import type { Warning } from '../contracts/run';
import type {
  AskedCritic,
  ReportProblem,
  ReportProblemKind,
  VerifiedClaim,
  VerifiedReport,
} from '../contracts/verified-report';
import { readTextFile } from '../lib/files';
import { formatCount, groupedDigits } from '../lib/strings';
import {
  annotateReport,
  auditLine,
  evidenceLabel,
  verdictReason,
  withoutAnnotations,
} from '../report/annotate-report';
import {
  type GivenSource,
  type PreparedSources,
  prepareSources,
  verdictName,
} from '../report/statement-verdicts';
import { CITES_NOTHING, verifyPreparedReport } from '../report/verify-report';
import { RECORD_BOUNDS } from '../sources/formats/document-formats';
import { splitFrontMatter } from '../sources/formats/front-matter';
import { noteText } from '../sources/formats/note-text';
import type { ImportedPages, PageReader } from '../sources/pages';
import { readSources } from '../sources/read-sources';
import type { SourceReading } from '../sources/source-problems';
import { chainReadings, loadSources } from '../sources/source-readings';
import { readZotero } from '../sources/zotero';
import { type CommandContext, ExitCode, UsageError } from './command-context';
import { VERDICTS_WORST_FIRST } from './result-text';
import { writeOutputFile } from './run-files';
import { renderTable, safeExcerpt, safeJson, safeLine, type Terminal } from './terminal';
import type { ReportFile, VerifyRequest } from './verify-options';
import { warningLines } from './warning-lines';

export async function runVerify(context: CommandContext, request: VerifyRequest): Promise<ExitCode> {
  const { terminal } = context;
  const display = showStep(terminal);
  const { report, annotate, out } = request;
  let verified: VerifiedReport;
  try {
    verified = await verifyReportFile(context, request, display);
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
    await writeOutputFile('--annotate', annotate, context.io.cwd, annotated);
  }
  if (out !== null) await writeOutputFile('--out', out, context.io.cwd, `${safeJson(verified)}\n`);
  if (request.json) terminal.printJson(verified);
  else for (const line of formatVerifiedReport(verified, terminal)) terminal.print(line);
  reportCritic(context, verified);
  if (verified.critic?.ended?.by === 'endpoint') return ExitCode.unreachable;
  return exitCodeOfVerification(context, verified, request);
}

async function verifyReportFile(
  context: CommandContext,
  request: VerifyRequest,
  display: StepDisplay,
): Promise<VerifiedReport> {
  const { report, critic } = request;
  display.update('Reading the sources');
  const { sources, warnings } = await readVerifySources(context, request, display);
  for (const line of warningLines(warnings, { sources: sources.length })) display.note(line);
  display.update(`Preparing ${sources.length} sources`);
  const held = prepareSources(sources, [report.markdown]);
  const verified = verifyPreparedReport(report.markdown, sources, held, {
    onProgress: ({ done, claims }) => display.update(`Verified ${done} of ${claims} claims`),
  });
  if (critic === null || verified.claims.length === 0) return verified;
  return askCritic(verified, critic, { sources, held }, display);
}

async function readVerifySources(
  { io, loadConfig }: CommandContext,
  { report, paths, zotero, skipInvalid }: VerifyRequest,
  display: StepDisplay,
): Promise<{ sources: GivenSource[]; warnings: Warning[] }> {
  const opened: ImportedPages[] = [];
  // Settings are loaded for the first address: verification by words needs none.
  const pages: PageReader = {
    async *read(addresses, formats) {
      if (opened.length === 0) opened.push(configuredPages(loadConfig(), null).open({ runId: 'verified' }));
      for (const reader of opened) yield* reader.read(addresses, formats);
    },
  };
  try {
    const given = chainReadings([
      ...(paths.length === 0 ? [] : [readSources(paths, { cwd: io.cwd, pages })]),
      ...zotero.map((source) => readZotero(source, {})),
    ]);
    const others = withoutReport(given, report, io.cwd, (file) =>
      display.note(`${safeExcerpt(file, 200)} is the report itself, and is no source of its own.`),
    );
    return await loadSources(others, { skipInvalid });
  } finally {
    for (const reader of opened) await reader.close();
  }
}

async function askCritic(
  verified: VerifiedReport,
  config: Config,
  given: { sources: readonly GivenSource[]; held: PreparedSources },
  display: StepDisplay,
): Promise<VerifiedReport> {
  // Lazy import: verification by words loads no models or stores.
  const { openCritic } = await import('../app/critic.js');
  const { critiqueReport } = await import('../app/critic.js');
  const critic = await openCritic(config);
  try {
    return await critiqueReport(verified, {
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

function reportCritic({ terminal }: CommandContext, { critic }: VerifiedReport): void {
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

/** A report among its own sources would support itself. */
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
        bodyOf(withoutAnnotations(await givenText(reading, cwd))) === own);
    if (isReport) onReport(reading.file);
    else yield reading;
  }
}

/** The text of a note as it stands in its file, because comments are not part of a source's text. */
async function givenText({ file, record }: SourceReading & { ok: true }, cwd: string): Promise<string> {
  if (record.mediaType !== 'text/markdown') return record.content;
  const given = await readTextFile(resolve(cwd, file), RECORD_BOUNDS);
  return given.ok ? given.text : record.content;
}

function bodyOf(markdown: string): string {
  return noteText(splitFrontMatter(markdown).content).text.trim();
}

function exitCodeOfVerification(
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
  note(line: string): void;
  end(): void;
}

const REDRAW_MS = 100;
const CLEARED = '\r\u001b[2K';

/** Draws synchronously: verification can keep timers from firing. */
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

const MAX_SUPPORTED_SHOWN = 20;
const MAX_PROBLEMS_SHOWN = 10;

const PROBLEM_TITLES: Record<ReportProblemKind, string> = {
  'not-read': 'Parts that are not read',
  'citation-without-entry': 'Citations without an entry in the list of sources',
  'source-missing': 'Entries whose source is not among those given',
  'source-ambiguous': 'Entries that several given sources fit',
  'entry-not-cited': 'Entries that nothing cites',
  'source-unused': 'Given sources that the report does not cite',
};

export function formatVerifiedReport(
  { claims, audit, citations, critic, problems, sources }: VerifiedReport,
  { width, colours }: Pick<Terminal, 'width' | 'colours'>,
): string[] {
  const worstFirst = [...claims].sort((one, other) => rank(one) - rank(other) || byLikelihood(one, other));
  const told = worstFirst.slice(0, claims.length - audit.supported + MAX_SUPPORTED_SHOWN);
  const untold = claims.length - told.length;
  return [
    colours.bold(auditLine({ audit, critic })),
    ...(critic === null ? [] : [criticLine(critic)]),
    `${formatCount(citations.found, 'citation')}: ${citations.resolved} resolved, ${citations.unresolved} unresolved, ` +
      `${citations.ambiguous} ambiguous. ${sources.cited} of ${formatCount(sources.given, 'given source')} cited.`,
    '',
    ...claimLines(told, sources.titles, width),
    ...(untold === 0 ? [] : [`… and ${untold} more that are supported; --json has them all`]),
    ...problemLines(problems),
  ];
}

function rank({ verdict }: VerifiedClaim): number {
  return VERDICTS_WORST_FIRST.indexOf(verdict);
}

function byLikelihood(one: VerifiedClaim, other: VerifiedClaim): number {
  if (one.verdict !== 'unchecked') return 0;
  return (one.probability ?? 0) - (other.probability ?? 0);
}

function criticLine({ model, claims, unasked, usage }: AskedCritic): string {
  const { calls, cachedCalls, inputTokens, outputTokens, costUsd } = usage;
  const paid = [
    formatCount(calls, 'call'),
    ...(cachedCalls === 0 ? [] : [`${formatCount(cachedCalls, 'answer')} kept from before`]),
    `${groupedDigits(inputTokens)} tokens in`,
    `${groupedDigits(outputTokens)} out`,
    `$${costUsd.toFixed(4)}`,
  ];
  const rest = unasked === 0 ? '' : ` It was not asked about ${unasked}.`;
  return `A critic, ${safeLine(model)}, was asked about ${formatCount(claims, 'claim')}: ${paid.join(', ')}.${rest}`;
}

function problemLines(problems: readonly ReportProblem[]): string[] {
  return Object.entries(PROBLEM_TITLES).flatMap(([kind, title]) => {
    const own = problems.filter((problem) => problem.kind === kind);
    const [first] = own;
    if (first === undefined) return [];
    const rest = own.length - MAX_PROBLEMS_SHOWN;
    const isSame = own.every(({ message }) => message === first.message);
    return [
      '',
      `${title}: ${own.length}`,
      ...own.slice(0, MAX_PROBLEMS_SHOWN).map((problem) => problemLine(problem, !isSame)),
      ...(rest > 0 ? [`  … and ${rest} more; --json has them all`] : []),
      ...(!isSame ? [] : [`  ${safeExcerpt(first.message, 300)}`]),
    ];
  });
}

function problemLine({ line, text, message }: ReportProblem, isDetailed: boolean): string {
  const where = line === null ? '' : `line ${line}  `;
  const detail = isDetailed ? `: ${message}` : '';
  return `  ${where}${safeExcerpt(text, 100)}${safeExcerpt(detail, 400)}`;
}

type Titles = VerifiedReport['sources']['titles'];

const HEADER = ['line', 'verdict', 'claim', 'reason', 'place'];
const NARROW_COLUMNS = 26;
const MAX_COLUMN_CHARS = 80;
/** On fewer columns a table would cut every reason. */
const TABLE_WIDTH = 140;
const [INDENT, LEAST_WIDTH] = [6, 40];

/** A table on a wide terminal. Elsewhere a line for each claim, with reason and place below unsupported ones. */
function claimLines(claims: readonly VerifiedClaim[], titles: Titles, width: number): string[] {
  if (width < TABLE_WIDTH) return claims.flatMap((claim) => stacked(claim, titles, width));
  const column = Math.min(MAX_COLUMN_CHARS, Math.floor((width - NARROW_COLUMNS) / 3));
  const rows = claims.map((claim) => {
    const told = [claim.text, verdictReason(claim, titles), placeOf(claim, titles)];
    return [String(claim.line), verdictName(claim), ...told.map((cell) => safeExcerpt(cell, column))];
  });
  return renderTable(HEADER, rows, width);
}

function stacked(claim: VerifiedClaim, titles: Titles, width: number): string[] {
  const head = `line ${claim.line}  ${verdictName(claim)}  `;
  const below = claim.verdict === 'supported' ? [] : [verdictReason(claim, titles), placeOf(claim, titles)];
  return [
    head + safeExcerpt(claim.text, Math.max(LEAST_WIDTH, width - head.length)),
    ...below
      .filter((text) => text !== '')
      .map((text) => ' '.repeat(INDENT) + safeExcerpt(text, Math.max(LEAST_WIDTH, width - INDENT))),
  ];
}

function placeOf(claim: VerifiedClaim, titles: Titles): string {
  return claim.evidence === null ? '' : `${evidenceLabel(claim, titles) ?? ''} “${claim.evidence.quote}”`;
}
