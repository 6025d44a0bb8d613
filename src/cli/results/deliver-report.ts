import type { ClosedRun, RunHandle } from '../../client/run-handle';
import type { CommandContext } from '../command-context';
import { setAsideOfReport } from '../../core/report/set-aside-markdown';
import { digestReport, reportExcerpt } from './report-excerpt';
import { writeRunFiles } from './run-files';
import type { Session } from '../../app/session/open-session';
import { printLeft } from './print-left';

export async function deliverReport(
  context: CommandContext,
  session: Session,
  run: RunHandle,
  closed: ClosedRun,
  options: { outDir: string | null; json: boolean; html: boolean },
): Promise<void> {
  const { terminal } = context;
  const { runId } = run;
  const stored = await run.report();
  const digest = stored === null ? null : digestReport(stored.report);
  const files =
    stored === null || options.outDir === null
      ? null
      : await writeRunFiles(options.outDir, runId, {
          report: stored.report,
          markdown: await exported(session, runId, 'md'),
          setAside: setAsideOfReport(stored.report),
          html: options.html ? await exported(session, runId, 'html') : null,
        });
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
  printLeft(context, session, {
    runId,
    closed,
    files,
    what: 'report',
    excerpt: digest === null ? null : reportExcerpt(digest),
  });
}

async function exported({ client }: Session, runId: string, format: 'md' | 'html'): Promise<string> {
  const { content } = await client.export(runId, format);
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
}
