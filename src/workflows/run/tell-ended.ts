import { CancellationScope, ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow';
import type { EndedRun, WebhookStart } from '../../contracts/run/webhook';
import type { Run } from './run';

/** Has whoever asked for it told that the run has ended, by a workflow of its own: however long that takes, the run is over. */
export async function tellEnded({ input }: Run, status: EndedRun['status']): Promise<void> {
  const { runId, kind, webhook } = input;
  if (webhook === undefined) return;
  const messageId = `msg_${workflowInfo().firstExecutionRunId}`;
  const start: WebhookStart = { ...webhook, runId, kind, status, messageId };
  await CancellationScope.nonCancellable(() =>
    startChild('webhook', {
      workflowId: `webhook-${messageId}`,
      args: [start],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    }),
  );
}
