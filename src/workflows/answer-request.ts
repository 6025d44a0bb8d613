import {
  allHandlersFinished,
  CancellationScope,
  condition,
  ContinueAsNew,
  defineQuery,
  defineUpdate,
  type TemporalFailure,
} from '@temporalio/workflow';
import type { ConcludeAnswerInput } from '../activities/conclude-answer';
import type { Answer } from '../contracts/answer';
import { ANSWER_PATIENCE_MS } from '../contracts/pipeline';
import answerStart from '../contracts/schemas/answer-start.json';
import type { AnswerMessage, AnswerRunInput } from '../contracts/start';
import type { JsonSchema } from '../lib/json-schema';
import { type AgentState, questionAsked, toAgentState } from '../report/answer-state';
import type { AnswerRun, StandingDraft } from './answer-attempts';
import {
  answerQuery,
  fillDefaults,
  isBug,
  NO_ARGUMENT,
  schemaProblems,
  startProblems,
  takeUpdate,
} from './input';
import { usageOf } from './publishing';
import type { FinalStatus, ReadInput } from './run-definition';

// A test holds that the schema has no keywords that are not known.
const SCHEMA = answerStart as JsonSchema;
const QUESTION = SCHEMA.properties?.question ?? {};

type Filled = Omit<AnswerRunInput, 'question' | 'asOf'> & {
  question?: string;
  messages?: AnswerMessage[];
  asOf?: string;
};

/**
 * What somebody gave the workflow as the input of an answer, with its defaults, or everything that is wrong with it. Pure, and
 * without zod, which is too much for the workflow's sandbox. `startedAt` is an ISO 8601 time.
 */
export function readAnswerStart(
  given: unknown,
  run: { runId: string; startedAt: string },
): ReadInput<AnswerRunInput> {
  const problems = schemaProblems(SCHEMA, given);
  if (problems.length > 0) return { problems };
  // The schema is made of the contract whose type this is, and the value fits it.
  const { messages, ...filled } = fillDefaults(SCHEMA, given) as Filled;
  const asked = questionAsked({ ...filled, messages });
  if (asked === null) return { problems: [NOTHING_ASKED] };
  const input = {
    ...filled,
    ...asked,
    asOf: filled.asOf ?? run.startedAt,
    outages: filled.outages ?? { patienceMs: ANSWER_PATIENCE_MS, afterwards: 'fail' },
    runId: run.runId,
  } satisfies AnswerRunInput;
  const further = [
    ...schemaProblems(QUESTION, input.question, 'the first message of a human'),
    ...fieldProblems(input),
  ];
  return further.length > 0 ? { problems: further } : { input };
}

const NOTHING_ASKED =
  'question is missing; allowed: a text that asks something, or messages, the first of which by a human (role human or user) asks it';

function fieldProblems(input: AnswerRunInput): string[] {
  const { manifestRef, sourceCount } = input;
  const problems = startProblems(input);
  if (manifestRef !== undefined && sourceCount === 0)
    problems.push('sourceCount is 0; allowed: how many sources the list of manifestRef has');
  return problems;
}

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

/** What a reply is made of, with this text; nothing is said of a failure or a judge. */
export function replyRequest(
  { carried, facts, input }: AnswerRun,
  text: StandingDraft | null,
  status: FinalStatus,
): ConcludeAnswerInput {
  const { admitted, attempts, critique, measured, overCompression, trace, warnings } = carried;
  return {
    run: facts,
    status,
    observationCount: admitted?.observationCount ?? 0,
    finalOutputRef: admitted?.finalOutputRef ?? null,
    passagesRef: text?.passagesRef ?? carried.passagesRef,
    draftRef: text?.draftRef ?? null,
    critique,
    measured,
    attempts,
    overCompression,
    trace,
    warnings,
    failure: null,
    usage: usageOf(carried).total,
    ...(input.estimate === undefined ? {} : { estimate: input.estimate }),
    latencyMs: Date.now() - Date.parse(carried.startedAt),
  };
}
