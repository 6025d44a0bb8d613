import type { Answer } from '../contracts/answer/answer';
import type { AnswerMessage } from '../contracts/answer/message';

/** What document 001's synthesis agent leaves in its graph's state. */
export interface AgentState {
  /** The caller's, and the answer behind them. */
  messages: AnswerMessage[];
  final_answer: string;
  /** The one number that is printed; 0 where nothing was found, or no answer could be written. */
  confidence_score: number;
  last_agent: 'synthesis';
  next_agent: 'END';
}

/** An answer in the form of document 001. Without messages the question is the first. */
export function toAgentState(
  answer: Pick<Answer, 'question' | 'answer' | 'confidence'>,
  messages: readonly AnswerMessage[] = [{ role: 'human', content: answer.question }],
): AgentState {
  return {
    messages: [...messages, { role: 'ai', content: answer.answer }],
    final_answer: answer.answer,
    confidence_score: answer.confidence,
    last_agent: 'synthesis',
    next_agent: 'END',
  };
}
