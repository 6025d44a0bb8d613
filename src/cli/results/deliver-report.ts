import path from 'node:path';
import type { ClosedRun, ClosedStatus, RunHandle } from '../../client/run-handle';
import type { CommandContext } from '../command-context';
import { COMMAND } from '../package-files';
import { digestReport, reportExcerpt, type ReportDigest } from './report-excerpt';
import { writeRunFiles, type RunFiles } from './run-files';
import { safeExcerpt } from '../terminal/safe-text';
import type { Session } from '../../app/session/open-session';
import { runArgument } from './run-name';

/** Long enough for every problem of an input. */
const REASON_CHARS = 2_000;

/** How a report is spoken of, by the status of its run. */
const ENDINGS: Record<ClosedStatus, string> = {
  completed: 'The report is in',
  partial: 'The report is partial (its warnings say why). It is in',
  cancelled: 'The run was cancelled. Its partial report is in',
  failed: 'The run failed. What it had until then is in',
};

/** Writes the report of a closed run to `outDir`, where there is one, and says what is in it. */
export async function deliverReport(
  context: CommandContext,
  session: Session,
  run: RunHandle,
  closed: ClosedRun,
  options: { outDir: string | null; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const { runId } = run;
  const stored = await run.report();
  const digest = stored === null ? null : digestReport(stored.report);
  const files =
    stored === null || options.outDir === null
      ? null
      : await writeRunFiles(options.outDir, runId, stored.markdown, stored.report);
  if (options.json) {
    terminal.printJson({
      id: runId,
      status: closed.status,
      ...(closed.message === undefined ? {} : { message: closed.message }),
      files,
      report: digest,
      warnings: stored?.report.warnings ?? [],
      webUi: session.runUrl(runId),
    });
    return;
  }
  if (closed.status === 'failed') {
    terminal.say(
      `Run ${runId} failed: ${safeExcerpt(closed.message ?? 'the server gives no reason', REASON_CHARS)}`,
    );
  }
  if (digest === null) terminal.say(`Run ${runId}: ${closed.status}, and it left no report.`);
  else printReport(context, closed, digest, files ?? `${COMMAND} show ${runArgument(runId)}`);
  printWhereToLook(context, session, runId);
}

function printReport(
  { terminal }: CommandContext,
  closed: ClosedRun,
  digest: ReportDigest,
  where: RunFiles | string,
): void {
  const [title = '', ...rest] = reportExcerpt(digest);
  terminal.print('');
  terminal.print(terminal.colours.bold(title));
  for (const line of rest) terminal.print(line);
  terminal.print('');
  if (typeof where === 'string') {
    terminal.print(`To read it: ${where}`);
    return;
  }
  terminal.print(ENDINGS[closed.status]);
  terminal.print(`  ${fromHere(where.markdown)}   to read`);
  terminal.print(`  ${fromHere(where.json)}   with the evidence of every claim`);
}

/** An embedded server ends with the command, so its Web UI is only there again with `dev`. */
function printWhereToLook({ terminal }: CommandContext, session: Session, runId: string): void {
  const url = session.runUrl(runId);
  if (url === null) return;
  terminal.print(
    session.startedServer
      ? `To see the finished run in the Web UI: ${COMMAND} dev   then open ${url}`
      : `The finished run in the Web UI: ${url}`,
  );
}

function fromHere(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}
