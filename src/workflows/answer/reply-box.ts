import {
  CancellationScope,
  ContinueAsNew,
  allHandlersFinished,
  condition,
  type TemporalFailure,
  defineQuery,
  defineUpdate,
} from '@temporalio/workflow';
import { toAgentState, type AgentState } from '../../answers/to-agent-state';
import type { Answer } from '../../contracts/answer/answer';
import type { AnswerMessage } from '../../contracts/answer/message';
import { answerQuery, NO_ARGUMENT, takeUpdate } from '../run/handlers';
import { isBug } from '../run/workflow-bug';

/** Waits for the reply, and is told it; with its start in one call, where the caller wants no more than that. */
export const replyUpdate = defineUpdate<Answer>('reply');

/** Null before there is one. */
export const replyQuery = defineQuery<Answer | null>('reply');

/** The same in the form of document 001, behind the turns before it. */
export const agentStateQuery = defineQuery<AgentState | null>('agent-state');

export interface ReplyBox {
  /** With the turns before its question. */
  put(reply: Answer, history: readonly AnswerMessage[]): void;
  fail(error: TemporalFailure): void;
  everybodyTold(): Promise<void>;
  /** Ends as the work does, after everybody who waits has been told. */
  whileWaited<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Nothing is awaited before, so that nobody who asks with the start is missed. */
export function openReplyBox(): ReplyBox {
  let reply: Answer | null = null;
  let before: readonly AnswerMessage[] = [];
  let failure: TemporalFailure | null = null;

  answerQuery(replyQuery, () => reply);
  answerQuery(agentStateQuery, () =>
    reply === null ? null : toAgentState(reply, [...before, { role: 'human', content: reply.question }]),
  );
  takeUpdate(
    replyUpdate,
    NO_ARGUMENT,
    // A cancellation ends the work, which leaves a reply all the same.
    () =>
      CancellationScope.nonCancellable(async () => {
        await condition(() => reply !== null || failure !== null);
        if (reply !== null) return reply;
        throw failure ?? new Error('There is neither a reply nor a failure.');
      }),
  );
  const everybodyTold = (): Promise<void> =>
    CancellationScope.nonCancellable(() => condition(allHandlersFinished));

  return {
    put(given, history) {
      reply = given;
      before = history;
    },
    fail(error) {
      failure = error;
    },
    everybodyTold,
    async whileWaited(work) {
      try {
        return await work();
      } catch (error) {
        if (isBug(error) || error instanceof ContinueAsNew) throw error;
        failure ??= error as TemporalFailure; // whatever else is thrown is a bug
        await everybodyTold();
        throw error;
      }
    },
  };
}
