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
import { type AgentState, resolveQuestion, toAgentState } from '../report/answer-state';
import type { AnswerRun, BestDraft } from './answer-attempts';
import { fillDefaults, inputProblems, isBug, NO_ARGUMENTS, onQuery, onUpdate, schemaProblems } from './input';
import { runUsage } from './publishing';
import type { FinalStatus, ParsedInput } from './run-definition';

// A test checks that the schema uses supported keywords only.
const SCHEMA = answerStart as JsonSchema;
const QUESTION_SCHEMA = SCHEMA.properties?.question ?? {};

type FilledInput = Omit<AnswerRunInput, 'question' | 'asOf'> & {
  question?: string;
  messages?: AnswerMessage[];
  asOf?: string;
};

/** Does not use zod, which is too large for the workflow sandbox. `startedAt` is ISO 8601. */
export function parseAnswerInput(
  given: unknown,
  run: { runId: string; startedAt: string },
): ParsedInput<AnswerRunInput> {
  const problems = schemaProblems(SCHEMA, given);
  if (problems.length > 0) return { problems };
  const { messages, ...filled } = fillDefaults(SCHEMA, given) as FilledInput;
  const asked = resolveQuestion({ ...filled, messages });
  if (asked === null) return { problems: [MISSING_QUESTION] };
  const input = {
    ...filled,
    ...asked,
    asOf: filled.asOf ?? run.startedAt,
    outages: filled.outages ?? { patienceMs: ANSWER_PATIENCE_MS, afterwards: 'fail' },
    runId: run.runId,
  } satisfies AnswerRunInput;
  const further = [
    ...schemaProblems(QUESTION_SCHEMA, input.question, 'the first message of a human'),
    ...fieldProblems(input),
  ];
  return further.length > 0 ? { problems: further } : { input };
}

const MISSING_QUESTION =
  'question is missing; allowed: a text that asks something, or messages, the first of which by a human (role human or user) asks it';

function fieldProblems(input: AnswerRunInput): string[] {
  const { manifestRef, sourceCount } = input;
  const problems = inputProblems(input);
  if (manifestRef !== undefined && sourceCount === 0)
    problems.push('sourceCount is 0; allowed: how many sources the list of manifestRef has');
  return problems;
}

/** Resolves with the reply; update-with-start makes start and reply one call. */
export const replyUpdate = defineUpdate<Answer>('reply');

/** Null before the reply is ready. */
export const replyQuery = defineQuery<Answer | null>('reply');

/** With the turns before the question. Null before the reply is ready. */
export const agentStateQuery = defineQuery<AgentState | null>('agent-state');

export interface PendingReply {
  put(reply: Answer, history: readonly AnswerMessage[]): void;
  fail(error: TemporalFailure): void;
  everybodyTold(): Promise<void>;
  /** Settles like `work`, after all waiting callers have their reply or error. */
  whileWaited<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Must be called before the first await, so that an update sent with the start finds its handler. */
export function createPendingReply(): PendingReply {
  let reply: Answer | null = null;
  let before: readonly AnswerMessage[] = [];
  let failure: TemporalFailure | null = null;

  onQuery(replyQuery, () => reply);
  onQuery(agentStateQuery, () =>
    reply === null ? null : toAgentState(reply, [...before, { role: 'human', content: reply.question }]),
  );
  onUpdate(
    replyUpdate,
    NO_ARGUMENTS,
    // A cancelled run still produces a reply, so waiting callers are not cancelled.
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
        failure ??= error as TemporalFailure; // isBug excludes everything else
        await everybodyTold();
        throw error;
      }
    },
  };
}

export function replyRequest(
  { carried, facts, input }: AnswerRun,
  text: BestDraft | null,
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
    usage: runUsage(carried).total,
    ...(input.estimate === undefined ? {} : { estimate: input.estimate }),
    latencyMs: Date.now() - Date.parse(carried.startedAt),
  };
}
