import { z } from 'zod';

/** A turn of a conversation, as those who call us name its speakers (document 001). */
export const AnswerMessage = z.object({
  role: z
    .enum(['human', 'user', 'ai', 'assistant', 'system', 'tool'])
    .describe('who speaks: human or user asks, ai or assistant answers'),
  content: z.string(),
});
export type AnswerMessage = z.infer<typeof AnswerMessage>;
