import type { WorkflowHandle } from '@temporalio/client';
import type { Answer } from '../../../src/contracts/answer';
import { createExtractiveEngine } from '../../../src/engines/extractive/module';
import type { answer } from '../../../src/workflows';
import { askAnswer, type Question } from '../../support/ask-answer';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { enginesThatFollow } from '../../support/scripted-engine';

export type { Question };

/** Answers on a real server, by the extractive engine, and by a model whose part the bench's engine plays. */
export interface AnswerBench extends RunBench {
  ask(requestId: string, question: Question): Promise<Answer>;
  start(requestId: string, question: Question): Promise<WorkflowHandle<typeof answer>>;
}

export async function openAnswerBench(): Promise<AnswerBench> {
  const runs = await openRunBench();
  const models = enginesThatFollow(() => runs.engine);
  await runs.startWorker({ ...models, extractive: createExtractiveEngine(runs) });
  const { taskQueue } = runs.config.temporal;
  return Object.assign(runs, {
    ask: (requestId: string, question: Question) => askAnswer({ ...runs, taskQueue }, requestId, question),
    start: (requestId: string, question: Question) =>
      runs.client.workflow.start<typeof answer>('answer', {
        workflowId: requestId,
        taskQueue,
        args: [question],
      }),
  });
}
