import type { AnswerInput, AnswerOutput } from '../../../steps/answer/contract';
import type { AskedStep } from '../asked-step';
import type { ReplyWriter } from './reply-writer';

/** The answer step; its text is no `StepAnswer`, because it is read while it comes. */
export type AskedReply = Pick<AskedStep<AnswerInput, AnswerOutput>, 'step' | 'prompt' | 'calls' | 'warn'>;

/** A reply under way. */
export interface Replying extends AskedReply {
  writer: ReplyWriter;
  dropped: Set<string>;
}
