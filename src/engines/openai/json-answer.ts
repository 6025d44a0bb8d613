import type { FinishReason } from './model-client';

/** An answer that was to be JSON and is not. The message has nothing of the answer in it. */
export class AnswerNotJsonError extends Error {
  override readonly name = 'AnswerNotJsonError';
}

/** The JSON in an answer: without thinking, fences and prose around; repaired unless the answer was cut off. */
export function jsonFromAnswer(_text: string, _finishReason: FinishReason): unknown {
  throw new AnswerNotJsonError('to come');
}

/** The answer's text without what the model thought aloud. */
export function withoutThinking(_text: string): string {
  throw new Error('to come');
}
