import { Answer } from '../../contracts/answer/answer';
import { createRunHandle } from '../create-run-handle';
import { describeRun, type StartRecords } from '../described-run';
import { RunKindError } from '../run-errors';
import type { AnswerHandle } from './answer-request';
import { awaitReply, REPLY } from './await-reply';
import { storedResult } from '../stored-result';

export function createAnswerHandle(records: StartRecords, requestId: string): AnswerHandle {
  const run = createRunHandle(records, requestId);
  const isRunning = async (): Promise<boolean> => {
    const { kind, isRunning } = await describeRun(records, requestId);
    if (kind !== 'answer') throw new RunKindError(requestId, kind, 'It has no answer.');
    return isRunning;
  };
  return {
    ...run,
    async reply() {
      if (!(await isRunning())) return storedResult(records, requestId, Answer);
      return records.client.workflow.getHandle(requestId).query<Answer | null>(REPLY);
    },
    async answer(options = {}) {
      await isRunning();
      return awaitReply(records, requestId, options);
    },
  };
}
