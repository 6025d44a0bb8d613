import type { ContentStore } from '../stores/content-store';
import type { DerivedStore } from '../stores/derived-store';
import type { ResponseCache } from '../stores/response-cache';
import { findRun, type RunRecords } from './described-run';
import { ofEveryKind } from './of-every-kind';
import { RunNotFoundError, RunStillRunningError } from './run-errors';

/**
 * Deletes a closed run: its workflow with all its histories first, so that what fails later can be done by deleting
 * again. A run that the server has forgotten already loses its events and its hold on content, and so does an import,
 * which is no run and only holds content.
 */
export async function deleteRun(
  {
    client,
    content,
    events,
    responses,
    derived,
  }: RunRecords & { content: ContentStore; responses?: ResponseCache; derived?: DerivedStore },
  runId: string,
): Promise<void> {
  const described = await findRun({ client, events }, runId);
  if (described?.isRunning) throw new RunStillRunningError(runId);
  if (described === null && (await events.read(runId, { limit: 1 })).length === 0) {
    const { deleted, kept } = await content.clearRun(runId);
    if (deleted + kept === 0) throw new RunNotFoundError(runId);
    return;
  }
  const { namespace } = client.options;
  // Lists lag behind, so the latest history is taken from the description.
  const histories = new Set(described === null ? [] : [described.historyId]);
  for await (const { workflowId, runId: history } of client.workflow.list({
    query: queryFor(runId),
  })) {
    if (workflowId === runId) histories.add(history);
  }
  for (const history of histories) {
    await client.workflowService.deleteWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: runId, runId: history },
    });
  }
  await events.clearRun(runId);
  await content.clearRun(runId);
  await responses?.clearRun(runId);
  await derived?.clearRun(runId);
}

/**
 * Finds the histories of an id, among others where it has quotes or backslashes: what becomes of those in a query depends
 * on the database behind the server.
 */
function queryFor(runId: string): string {
  return /["'\\]/.test(runId) ? ofEveryKind() : `WorkflowId = "${runId}"`;
}
