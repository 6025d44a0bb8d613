import { JudgeSettings } from '../../contracts/judge/rubric';
import { z } from 'zod';
import { AnswerSettings } from '../../contracts/answer/answer-settings';
import { AnswerMessage } from '../../contracts/answer/message';
import { MAX_QUESTION_CHARS } from '../../contracts/report/report-start';
import { ArtifactRef } from '../../contracts/run/artifact';
import { ChosenRunId } from '../../contracts/run/chosen-run-id';
import { traitsOf } from '../../contracts/run/engines';
import { OutageSettings } from '../../contracts/run/outages';
import { AskedLimits } from '../../contracts/run/run-input';
import { EngineName } from '../../contracts/run/run';
import { Critique } from '../../contracts/verification/critique';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { toldValue } from '../../core/values/told-value';
import { placeOfQuestion } from '../../answers/question-asked';
import type { AnswerRequest } from './answer-request';

/** The workflow takes so many. */
const MAX_OBSERVATIONS = 1_000;

/** Everything that is wrong with a request, as sentences: what, where, and what to do. */
export function answerProblems(request: AnswerRequest, requestId: string, asOf: string): string[] {
  return [
    ...questionProblems(request),
    ...materialProblems(request),
    ...engineProblems(request),
    ...(Number.isNaN(Date.parse(asOf)) ? [`asOf is ${toldValue(asOf)}; an ISO 8601 time is allowed`] : []),
    ...fieldProblems(request, requestId),
  ];
}

function questionProblems({ question, messages }: AnswerRequest): string[] {
  const asked = (question ?? messages?.[placeOfQuestion(messages)]?.content)?.trim();
  if (asked === undefined)
    return [
      messages === undefined
        ? 'question is missing: give a question, or messages with a human one'
        : 'messages has no human message, whose content would be the question: add one, or give a question',
    ];
  if (asked === '')
    return [
      `${question === undefined ? 'the first human message' : 'question'} is empty: it must ask something`,
    ];
  if (asked.length > MAX_QUESTION_CHARS)
    return [`question has ${asked.length} characters; at most ${MAX_QUESTION_CHARS} are allowed`];
  return [];
}

function materialProblems({ observations = [], documents, sources, corpus }: AnswerRequest): string[] {
  const problems: string[] = [];
  if (observations.length > MAX_OBSERVATIONS)
    problems.push(
      `observations has ${observations.length} texts; at most ${MAX_OBSERVATIONS} are allowed: give the others as documents`,
    );
  if (corpus !== undefined && sources !== undefined)
    problems.push('sources and corpus are both given: give one of them, or open a corpus of both');
  if (corpus !== undefined && documents !== undefined)
    problems.push('documents and corpus are both given: give one of them, or open a corpus of both');
  if (sources !== undefined && 'paths' in sources && sources.paths.length === 0)
    problems.push('sources has no path; at least one is needed');
  if (corpus !== undefined && corpus.count < 1) problems.push('corpus has no source; at least one is needed');
  return problems;
}

function engineProblems(request: AnswerRequest): string[] {
  const engine = EngineName.safeParse(request.engine ?? 'extractive');
  const lacksModels = engine.success && traitsOf(engine.data).asksModels && (request.models ?? null) === null;
  return lacksModels ? [`models are missing: the ${engine.data} engine needs one for each role`] : [];
}

function fieldProblems(request: AnswerRequest, requestId: string): string[] {
  return shapeProblems([
    ['requestId', ChosenRunId, requestId],
    ['conversationId', ChosenRunId.optional(), request.conversationId],
    ['engine', EngineName.optional(), request.engine],
    ['messages', z.array(AnswerMessage).optional(), request.messages],
    ['history', z.array(AnswerMessage).optional(), request.history],
    ['observations', z.array(z.string()).optional(), request.observations],
    ['finalOutput', z.string().optional(), request.finalOutput],
    ['corpus.manifestRef', ArtifactRef.optional(), request.corpus?.manifestRef],
    ['critique', Critique.partial().optional(), request.critique],
    ['judge', JudgeSettings.optional(), request.judge],
    ['answers', AnswerSettings.partial().optional(), request.answers],
    ['budget', AskedLimits.optional(), request.budget],
    ['outages', OutageSettings.optional(), request.outages],
  ]);
}
