import type { BriefHandle } from '../../client/brief/brief-request';
import type { ClosedRun } from '../../client/run-handle';
import type { Session } from '../../app/session/open-session';
import type { Brief } from '../../contracts/brief/brief';
import { setAsideOfBrief } from '../../core/report/set-aside-markdown';
import type { CommandContext } from '../command-context';
import { briefExcerpt, digestBrief } from './brief-excerpt';
import { printLeft } from './print-left';
import { runFilePaths, writeRunFiles, type RunFiles } from './run-files';

/** Writes the brief of a closed run to `outDir`, where there is one, and says what is in it. */
export async function deliverBrief(
  context: CommandContext,
  session: Session,
  run: BriefHandle,
  closed: ClosedRun,
  options: { outDir: string | null; json: boolean },
): Promise<void> {
  const { runId } = run;
  const brief = await run.result();
  const digest = brief === null ? null : digestBrief(brief);
  const files =
    brief === null || options.outDir === null ? null : await writeBrief(options.outDir, runId, brief);
  if (options.json)
    context.terminal.printJson({
      id: runId,
      status: closed.status,
      ...(closed.message === undefined ? {} : { message: closed.message }),
      files,
      brief: digest,
      warnings: brief?.warnings ?? [],
      webUi: session.runUrl(runId),
    });
  else
    printLeft(context, session, {
      runId,
      closed,
      files,
      what: 'brief',
      excerpt: digest === null ? null : briefExcerpt(digest),
    });
}

/** What is written says where it was written. */
function writeBrief(outDir: string, runId: string, brief: Brief): Promise<RunFiles> {
  const reportPath = runFilePaths(outDir, runId).markdown;
  const written: Brief = { ...brief, metadata: { ...brief.metadata, reportPath } };
  const { markdown } = brief;
  return writeRunFiles(outDir, runId, { markdown, report: written, setAside: setAsideOfBrief(brief) });
}
