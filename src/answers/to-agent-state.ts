import type { Answer } from '../contracts/answer/answer';
import type { AnswerMessage } from '../contracts/answer/message';

/** What document 001's synthesis agent leaves in its graph's state. */
export interface AgentState {
  /** The caller's, and the answer behind them. */
  messages: AnswerMessage[];
  final_answer: string;
  /** By the number of observations or documents, at most 0.6 where they contradict each other; 0 where no answer could be written. */
  confidence_score: number;
  last_agent: 'synthesis';
  next_agent: 'END';
}

/** An answer in the form of document 001. Without messages the question is the first. */
export function toAgentState(
  answer: Pick<Answer, 'question' | 'answer' | 'evidenceConfidence' | 'outcome'>,
  messages: readonly AnswerMessage[] = [{ role: 'human', content: answer.question }],
): AgentState {
  return {
    messages: [...messages, { role: 'ai', content: answer.answer }],
    final_answer: answer.answer,
    confidence_score: answer.outcome === 'fallback' ? 0 : answer.evidenceConfidence,
    last_agent: 'synthesis',
    next_agent: 'END',
  };
}
