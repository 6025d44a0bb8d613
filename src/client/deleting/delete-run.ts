import type { ContentStore } from '../../stores/content-store';
import type { DerivedStore } from '../../stores/derived-store';
import type { ResponseCache } from '../../stores/response-cache';
import { findRun, type RunRecords } from '../described-run';
import { ofEveryKind } from '../of-every-kind';
import { RunNotFoundError, RunStillRunningError } from '../run-errors';
import { listRecords } from '../server-records';

export interface DeletionRecords extends RunRecords {
  content: ContentStore;
  responses?: ResponseCache;
  derived?: DerivedStore;
}

/**
 * Deletes a closed run. Its events go last: by them it is found again where somebody was stopped in between, although the
 * server has forgotten it by then. A run that has none is found by the server, and goes from there last. So does an import,
 * which is no run and only holds content.
 */
export async function deleteRun(records: DeletionRecords, runId: string): Promise<void> {
  const { client, events } = records;
  const [begun] = await events.read(runId, { limit: 1 });
  const described = await findRun(records, runId);
  if (described?.isRunning) throw new RunStillRunningError(runId);
  const histories = await historiesOf(records, runId, described?.historyId);
  const deleteHistories = async (): Promise<void> => {
    const { namespace } = client.options;
    for (const history of histories) {
      const workflowExecution = { workflowId: runId, runId: history };
      await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
    }
  };
  if (begun !== undefined) {
    await deleteHistories();
    await releaseContents(records, runId);
    // A log that was begun since then is another run's.
    await events.clearRun(runId, { begunAt: begun.at });
    return;
  }
  const held = await releaseContents(records, runId);
  if (described === null && held === 0) throw new RunNotFoundError(runId);
  await deleteHistories();
}

/** Lists lag behind, so the latest history is taken from the description. */
async function historiesOf(
  { client }: DeletionRecords,
  runId: string,
  latest: string | undefined,
): Promise<Set<string>> {
  const histories = new Set(latest === undefined ? [] : [latest]);
  for await (const { workflowId, runId: history, status } of listRecords(client, queryFor(runId))) {
    if (workflowId !== runId) continue;
    // Somebody has run the id again since it was looked at. The latest is known to have ended, whatever the list says.
    if (status.name === 'RUNNING' && history !== latest) throw new RunStillRunningError(runId);
    histories.add(history);
  }
  return histories;
}

/** Resolves with how much the run had. */
async function releaseContents(
  { content, responses, derived }: DeletionRecords,
  runId: string,
): Promise<number> {
  let held = 0;
  for (const store of [content, responses, derived]) {
    if (store === undefined) continue;
    held += await store.clearRun(runId);
  }
  return held;
}

/**
 * Finds the histories of an id, among others where it has quotes or backslashes: what becomes of those in a query depends
 * on the database behind the server.
 */
function queryFor(runId: string): string {
  return /["'\\]/.test(runId) ? ofEveryKind() : `WorkflowId = "${runId}"`;
}
