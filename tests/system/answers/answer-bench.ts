import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { Answer } from '../../../src/contracts/answer/answer';
import type { AnswerStart } from '../../../src/contracts/answer/answer-start';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import type { ColligateWorker } from '../../../src/worker';
import type { answer } from '../../../src/workflows/answer/answer';
import { replyUpdate } from '../../../src/workflows/answer/messages';
import type { z } from 'zod';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { createScriptedEngine, enginesThatFollow, type ScriptedEngine } from '../../support/scripted-engine';

export type Question = z.input<typeof AnswerStart>;

/** Answers on a real server, by the extractive engine, and by a model whose part a script plays. */
export interface AnswerBench {
  runs: RunBench;
  /** Plays the models; a test puts its own here. */
  model: ScriptedEngine;
  /** Asks as a caller does who wants no more than the reply: one call that starts and waits. */
  ask(requestId: string, question: Question): Promise<Answer>;
  start(requestId: string, question: Question): Promise<WorkflowHandle<typeof answer>>;
  /** What the log has of a request. */
  eventsOf(requestId: string): ReturnType<RunBench['stores']['events']['read']>;
  /** How often each activity was begun. */
  activitiesOf(requestId: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export async function openAnswerBench(): Promise<AnswerBench> {
  const runs = await openRunBench();
  const following = enginesThatFollow(() => bench.model);
  const worker: ColligateWorker = await runs.startWorker({
    ...following,
    extractive: createExtractiveEngine(runs),
  });
  const { taskQueue } = runs.config.temporal;
  const bench: AnswerBench = {
    runs,
    model: createScriptedEngine({}),
    ask: (requestId, question) =>
      runs.client.workflow.executeUpdateWithStart(replyUpdate, {
        startWorkflowOperation: new WithStartWorkflowOperation<typeof answer>('answer', {
          workflowId: requestId,
          taskQueue,
          args: [question],
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      }),
    start: (requestId, question) =>
      runs.client.workflow.start<typeof answer>('answer', {
        workflowId: requestId,
        taskQueue,
        args: [question],
      }),
    eventsOf: (requestId) => runs.stores.events.read(requestId),
    async activitiesOf(requestId) {
      const { events } = await runs.client.workflow.getHandle(requestId).fetchHistory();
      const counts: Record<string, number> = {};
      for (const { activityTaskScheduledEventAttributes: scheduled } of events ?? []) {
        const name = scheduled?.activityType?.name;
        if (name !== undefined && name !== null) counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    },
    async close() {
      await worker.drain();
      await runs.close();
    },
  };
  return bench;
}
