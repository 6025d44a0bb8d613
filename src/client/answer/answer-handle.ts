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
  const { runId, progress, usage, pause, resume, cancel, events, waitUntilClosed } = createRunHandle(
    records,
    requestId,
  );
  const isRunning = async (): Promise<boolean> => {
    const { kind, isRunning } = await describeRun(records, requestId);
    if (kind !== 'answer') throw new RunKindError(requestId, kind, 'It has no answer.');
    return isRunning;
  };
  return {
    ...{ runId, progress, usage, pause, resume, cancel, events, waitUntilClosed },
    async reply() {
      if (!(await isRunning())) return storedAnswer(records, requestId);
      return records.client.workflow.getHandle(requestId).query<Answer | null, []>(REPLY);
    },
    async answer(options = {}) {
      await isRunning();
      return awaitReply(records, requestId, options);
    },
  };
}
