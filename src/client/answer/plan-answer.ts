import type { WorkflowStartOptions } from '@temporalio/client';
import { JudgeSettings } from '../../contracts/judge/rubric';
import { AnswerSettings } from '../../contracts/answer/answer-settings';
import type { AnswerStart } from '../../contracts/answer/answer-start';
import type { z } from 'zod';
import type { Warning } from '../../contracts/run/run';
import { traitsOf } from '../../contracts/run/engines';
import { questionAsked, type Asked } from '../../answers/question-asked';
import { RUN_SHAPE } from '../../core/run/run-shape';
import { count } from '../../core/writing/count';
import { stepVersions } from '../../steps/step-versions';
import type { ContentStore } from '../../stores/content-store';
import type { EventLog } from '../../stores/event-log';
import { findRun, type DescribedRun, type RunRecords } from '../described-run';
import { newRunId } from '../new-run-id';
import { InvalidRequestError, kindInWords, RunClosedError, RunDiffersError } from '../run-errors';
import { startOptions } from '../starting/start-options';
import { answerProblems } from './answer-problems';
import type { AnswerRequest } from './answer-request';
import { storeMaterial } from './store-material';

export interface AnswerRecords extends RunRecords {
  taskQueue: string;
  content: ContentStore;
  events: EventLog;
}

type AnswerInput = z.input<typeof AnswerStart>;

/** A request that was checked and is to be started, or is being answered already. */
export interface PlannedAnswer {
  requestId: string;
  question: string;
  /** What a workflow of it is started with; null where one is running. */
  start: (WorkflowStartOptions & { args: [AnswerInput] }) | null;
  /** The ended request of the id, which the new one replaces. */
  before: DescribedRun | null;
  sources: number | null;
  warnings: Warning[];
}

/**
 * Checks everything first, then stores what the request brings along. Rejects with `InvalidRequestError`,
 * `InvalidSourcesError`, `RunClosedError` and `RunDiffersError`; nothing is stored then.
 */
export async function planAnswer(records: AnswerRecords, request: AnswerRequest): Promise<PlannedAnswer> {
  const startedAt = new Date();
  const requestId = request.requestId ?? newRunId('answer', startedAt);
  const asOf = request.asOf ?? startedAt.toISOString();
  const problems = answerProblems(request, requestId, asOf);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const { question, history } = settledQuestion(request);

  // An id that was made up now is nobody's.
  const before = request.requestId === undefined ? null : await findRun(records, requestId);
  if (before?.isRunning) {
    const differences = differencesFrom(before, question);
    if (differences.length > 0) throw new RunDiffersError(requestId, differences);
    return { requestId, question, start: null, before, sources: null, warnings: [] };
  }
  if (before !== null && request.again !== true) throw new RunClosedError(requestId);

  const { input, warnings } = await storeMaterial(records.content, request, { requestId, history });
  return {
    requestId,
    question,
    before,
    sources: input.sourceCount,
    warnings,
    start: startOptions({
      kind: 'answer',
      runId: requestId,
      taskQueue: records.taskQueue,
      question,
      startedAt,
      given: { sources: input.sourceCount },
      input: { ...answerInput(request, { requestId, question }), asOf, ...input },
      details: `${count(input.sourceCount, 'source')} · engine \`${request.engine ?? 'extractive'}\``,
      searchAttributes: request.searchAttributes === true,
    }),
  };
}

/** A running request is joined where it is about the same; what it rests on is its own. */
function differencesFrom({ kind, memo }: DescribedRun, question: string): string[] {
  if (kind !== 'answer') return [`it is ${kindInWords(kind)}`];
  return memo.question.trim() === question ? [] : [`its question is “${memo.question.trim()}”`];
}

/** What is asked and what was said before, of a request that has been checked. */
export function settledQuestion({ question, messages, history = [] }: AnswerRequest): Asked {
  const asked = questionAsked({ question, messages, history });
  return { question: asked?.question.trim() ?? '', history: asked?.history ?? [] };
}

/** The input of a request but for what it rests on. */
export function answerInput(
  request: AnswerRequest,
  { requestId, question }: { requestId: string; question: string },
): AnswerInput {
  const { engine = 'extractive', models = null, answers = {}, budget = {} } = request;
  const { conversationId, critique, judge, outages } = request;
  return {
    runId: requestId,
    kind: 'answer',
    question,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(critique === undefined ? {} : { critique }),
    engine,
    models: traitsOf(engine).asksModels ? models : null,
    stepVersions,
    answers: AnswerSettings.parse(answers),
    ...(judge === undefined ? {} : { judge: JudgeSettings.parse(judge) }),
    shape: RUN_SHAPE,
    budget,
    ...(outages === undefined ? {} : { outages }),
    searchAttributes: request.searchAttributes ?? false,
  };
}
