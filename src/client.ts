import type { Client } from '@temporalio/client';
import { createRunHandle } from './client/create-run-handle';
import { deleteRun } from './client/delete-run';
import { diffRuns } from './client/diff-runs';
import { listRuns } from './client/list-runs';
import type { ReportRequest, StartedRun } from './client/report-request';
import type { RunHandle, RunSummary } from './client/run-handle';
import { startReport } from './client/start-report';
import type { ReportDiff } from './contracts/report/report-diff';
import type { ContentStore } from './stores/content-store';
import type { EventLog } from './stores/event-log';
import type { ResponseCache } from './stores/response-cache';

export type { ReportRequest, RequestedSources, StartedRun } from './client/report-request';
export type {
  ClosedRun,
  ClosedStatus,
  RunHandle,
  RunProgress,
  RunSummary,
  RunUsage,
} from './client/run-handle';
export type { RunEvent } from './contracts/run/event';
export type { PassResults, PassWithResult } from './client/pass-results/pass-results';
export {
  sectionsUnlikeReport,
  sectionTexts,
  sectionTextsAfter,
  withReportCitations,
  type SectionText,
  type SectionTexts,
} from './core/report/streamed-texts';
export {
  InvalidRequestError,
  RunClosedError,
  RunDiffersError,
  RunNotFoundError,
  RunNotRunningError,
  RunStillRunningError,
  RunWithoutReportError,
} from './client/run-errors';

export { diffReports } from './core/diff/diff-reports';
export type { ReportDiff } from './contracts/report/report-diff';

export interface ColligateClientOptions {
  /** Connected, and bound to the namespace of the runs. */
  client: Client;
  taskQueue: string;
  content: ContentStore;
  events: EventLog;
  /** Where runs ask models: what was answered is let go with a deleted run. */
  responses?: ResponseCache;
}

/** What other services and the command line use: start, follow, signal, fetch. It closes nothing it was given. */
export interface ColligateClient {
  /**
   * Validates the request, stores the sources and starts the run. The id of a running run attaches to it, and rejects
   * with `RunDiffersError` where that has another question or other sources; the id of a closed one rejects with
   * `RunClosedError` unless `again`. Rejects with `InvalidRequestError` for a bad question, id
   * or setting, and with the errors of `importSources` for bad sources; nothing is started then.
   */
  startReport(request: ReportRequest): Promise<StartedRun>;
  run(runId: string): RunHandle;
  /** Newest first. */
  list(): Promise<RunSummary[]>;
  /**
   * What the report of the second run says that the first's did not, and the other way round. Rejects with
   * `RunWithoutReportError` where one of them has none (yet), and with `RunNotFoundError`.
   */
  diff(beforeId: string, afterId: string): Promise<ReportDiff>;
  /** Deletes a closed run: its events, its hold on stored content and responses, and its workflow. */
  delete(runId: string): Promise<void>;
}

export function createColligateClient(options: ColligateClientOptions): ColligateClient {
  const run = (runId: string): RunHandle => createRunHandle(options, runId);
  return {
    run,
    async startReport(request) {
      const { runId, ...started } = await startReport(options, request);
      return { run: run(runId), ...started };
    },
    list: () => listRuns(options),
    diff: (beforeId, afterId) => diffRuns(run(beforeId), run(afterId)),
    delete: (runId) => deleteRun(options, runId),
  };
}
