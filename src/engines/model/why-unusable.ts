import type { FailedStep } from '../../core/run/fallback-sentence';
import type { FallbackReason } from '../../contracts/run/run';
import { StepFailedError } from '../step-failed-error';
import type { AnswerProblem } from './answers/reading';
import type { ModelResponse } from './port/model-client';
import { ModelFailure, type ModelFailureKind } from './port/model-failure';
import { withoutThinking } from './port/thinking';

type Why = Pick<FailedStep, 'reason' | 'lacks'>;

const BY_PROBLEM: Readonly<Record<string, FallbackReason>> = {
  'answer-not-json': 'not-json',
  'answer-incomplete': 'off-schema',
  'answer-invalid': 'off-schema',
  'item-invalid': 'off-schema',
};

/** Why nothing came of an answer: null for one that was whole, and has no problems. */
export function whyUnusable(response: ModelResponse, problems: readonly AnswerProblem[]): Why | null {
  const isCutOff = response.finishReason === 'length';
  if (withoutThinking(response.text).trim() === '') return { reason: isCutOff ? 'thinking' : 'empty' };
  if (response.interrupted === 'repetition') return { reason: 'repeated' };
  if (isCutOff) return { reason: 'cut-off' };
  const [first] = problems;
  if (first === undefined) return null;
  // The message is this program's own: it names a list of the schema.
  const lacks = /^the answer has no list "(\w+)"$/.exec(first.message)?.[1];
  return { reason: BY_PROBLEM[first.code] ?? 'unsupported', ...(lacks === undefined ? {} : { lacks }) };
}

const BY_KIND: Partial<Record<ModelFailureKind, FallbackReason>> = {
  'content-filter': 'filtered',
  'context-length': 'too-long',
  timeout: 'too-slow',
  'malformed-response': 'unreadable',
  'schema-rejected': 'refused',
  'bad-request': 'refused',
};

/** Why a step failed; null where its endpoint is away. */
export function whyFailed(error: unknown): Pick<FailedStep, 'reason' | 'lacks' | 'sources'> | null {
  if (error instanceof StepFailedError) return error.why;
  const reason = error instanceof ModelFailure ? BY_KIND[error.kind] : undefined;
  return reason === undefined ? null : { reason };
}
