import type { Answer } from '../../contracts/answer/answer';
import { createRunHandle } from '../create-run-handle';
import { describeRun } from '../described-run';
import { RunKindError } from '../run-errors';
import type { AnswerHandle } from './answer-request';
import { awaitReply } from './await-reply';
import { REPLY } from './answer-messages';
import type { AnswerRecords } from './plan-answer';
import { storedAnswer } from './stored-answer';

export function createAnswerHandle(records: AnswerRecords, requestId: string): AnswerHandle {
  const run = createRunHandle(records, requestId);
  const isRunning = async (): Promise<boolean> => {
    const { kind, isRunning } = await describeRun(records, requestId);
    if (kind !== 'answer') throw new RunKindError(requestId, kind, 'It has no answer.');
    return isRunning;
  };
  return {
    runId: run.runId,
    progress: (options) => run.progress(options),
    usage: () => run.usage(),
    pause: () => run.pause(),
    resume: () => run.resume(),
    setBudget: (change, options) => run.setBudget(change, options),
    steering: () => run.steering(),
    cancel: () => run.cancel(),
    events: (options) => run.events(options),
    waitUntilClosed: (options) => run.waitUntilClosed(options),
    version: (n) => run.version(n),
    async reply() {
      if (!(await isRunning())) return storedAnswer(records, requestId);
      return records.client.workflow.getHandle(requestId).query<Answer | null>(REPLY);
    },
    async answer(options = {}) {
      await isRunning();
      return awaitReply(records, requestId, options);
    },
  };
}
