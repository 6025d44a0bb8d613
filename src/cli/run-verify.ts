import { realpath } from 'node:fs/promises';
import type { VerifiedReport } from '../contracts/verification/verified-report';
import { splitFrontMatter } from '../sources/formats/front-matter';
import { readSources } from '../sources/read-sources';
import { readWholeSources } from '../sources/read-whole-sources';
import type { SourceReading } from '../sources/source-reading';
import { annotateReport, withoutAnnotations } from '../verification/report/annotate-report';
import { verifyReport } from '../verification/report/verify-report';
import type { CommandContext } from './command-context';
import { ExitCode } from './exit-code';
import { UsageError } from './failures/usage-error';
import type { ReportFile } from './request/report-file';
import type { VerifyRequest } from './request/verify-request';
import { writeChosenFile } from './results/chosen-file';
import { verifiedLines } from './results/verified-lines';
import { safeExcerpt, safeJson } from './terminal/safe-text';
import { showStep, type StepDisplay } from './terminal/step-display';

/** Verifies a report in this process, and leaves what was asked for. */
export async function runVerify(context: CommandContext, request: VerifyRequest): Promise<ExitCode> {
  const { terminal } = context;
  const display = showStep(terminal);
  let verified: VerifiedReport;
  try {
    verified = await verifyWith(request, display);
  } finally {
    display.end();
  }
  if (verified.claims.length === 0) {
    throw new UsageError([
      `REPORT ${request.report.file}: nothing in it cites anything in a form that can be read. Known are [1], [^1], [https://…], (Author, 2019) and links.`,
      ...verified.problems
        .filter(({ kind }) => kind === 'not-read')
        .map(({ line, message }) => `Line ${line ?? 1}: ${message}`),
    ]);
  }
  const { report, annotate, out } = request;
  if (annotate !== null) {
    const annotated = `${report.byteOrderMark}${annotateReport(report.markdown, verified)}`;
    await writeChosenFile('--annotate', annotate, annotated);
  }
  if (out !== null) await writeChosenFile('--out', out, `${safeJson(verified)}\n`);
  if (request.json) terminal.printJson(verified);
  else for (const line of verifiedLines(verified, terminal)) terminal.print(line);
  return exitCodeOf(context, verified, request);
}

async function verifyWith(
  { report, paths, skipInvalid }: VerifyRequest,
  display: StepDisplay,
): Promise<VerifiedReport> {
  display.update('Reading the sources');
  const others = withoutReport(readSources(paths), report, (file) =>
    display.note(`${safeExcerpt(file, 200)} is the report itself, and is no source of its own.`),
  );
  const { sources, warnings } = await readWholeSources(others, { skipInvalid });
  for (const { message } of warnings) display.note(`Warning: ${safeExcerpt(message, 300)}`);
  display.update(`Preparing ${sources.length} sources`);
  return verifyReport(report.markdown, sources, {
    onProgress: ({ done, claims }) => display.update(`Verified ${done} of ${claims} claims`),
  });
}

/** A report that lies among its sources, or was annotated there, would bear itself out. */
async function* withoutReport(
  readings: AsyncIterable<SourceReading>,
  { realPath, markdown }: ReportFile,
  onReport: (file: string) => void,
): AsyncGenerator<SourceReading> {
  const own = bodyOf(markdown);
  for await (const reading of readings) {
    const isReport =
      reading.ok &&
      ((await realpath(reading.file).catch(() => reading.file)) === realPath ||
        withoutAnnotations(reading.record.content).trim() === own);
    if (isReport) onReport(reading.file);
    else yield reading;
  }
}

/** What a source of the same file has for its content. */
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
