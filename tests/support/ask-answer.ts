import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { z } from 'zod';
import type { Answer } from '../../src/contracts/answer';
import type { AnswerStart } from '../../src/contracts/start';
import type { answer } from '../../src/workflows';
import { replyUpdate } from '../../src/workflows/answer-request';

export type Question = z.input<typeof AnswerStart>;

/** Asks as a caller does who wants no more than the reply: one call that starts and waits. */
export function askAnswer(
  { client, taskQueue = 'colligate' }: { client: Client; taskQueue?: string },
  requestId: string,
  question: Question,
): Promise<Answer> {
  return client.workflow.executeUpdateWithStart(replyUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation<typeof answer>('answer', {
      workflowId: requestId,
      taskQueue,
      args: [question],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
}
