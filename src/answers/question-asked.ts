import type { AnswerMessage } from '../contracts/answer/message';

export interface Asked {
  question: string;
  /** Oldest first. */
  history: AnswerMessage[];
}

/** Where the first message of a human stands, which asks where nothing else does; −1 where there is none. */
export function placeOfQuestion(messages: readonly AnswerMessage[]): number {
  return messages.findIndex(({ role }) => role === 'human' || role === 'user');
}

/**
 * What is asked: the question, or the first message of a human, before which everything is history (document 001). Null where
 * there is neither, or an empty one.
 */
export function questionAsked(given: {
  question?: string | undefined;
  messages?: readonly AnswerMessage[] | undefined;
  history: readonly AnswerMessage[];
}): Asked | null {
  const { question, messages = [], history } = given;
  if (question !== undefined) return { question, history: [...history, ...messages] };
  const at = placeOfQuestion(messages);
  const asked = messages[at]?.content ?? '';
  if (asked.trim() === '') return null;
  return { question: asked, history: [...history, ...messages.slice(0, at)] };
}
