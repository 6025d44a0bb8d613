import { z } from 'zod';
import { AnswerMessage } from '../../contracts/answer/message';

export const MAX_REWRITES = 3;

export const RewriteQuestionInput = z.object({
  question: z.string(),
  history: z.array(AnswerMessage),
  tried: z.array(z.string()),
  /** What was found, shortly: titles, and words that it shares. */
  found: z.array(z.string()),
  gaps: z.array(z.string()),
});
export type RewriteQuestionInput = z.infer<typeof RewriteQuestionInput>;

export const RewriteQuestionOutput = z.object({
  /** Other wordings to look for; none where there is nothing better. */
  queries: z.array(z.string().min(1)).max(MAX_REWRITES),
});
export type RewriteQuestionOutput = z.infer<typeof RewriteQuestionOutput>;
