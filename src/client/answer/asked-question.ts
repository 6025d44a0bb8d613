import type { AnswerRequest } from './answer-request';

/** What a request asks: its question, or the first human message; null where it has neither. */
export function askedQuestion({
  question,
  messages = [],
}: Pick<AnswerRequest, 'question' | 'messages'>): string | null {
  if (question !== undefined) return question.trim();
  const human = messages.find(({ role }) => role === 'human' || role === 'user');
  return human?.content.trim() ?? null;
}
