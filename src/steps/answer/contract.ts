import { z } from 'zod';
import { AnswerDraft } from '../../contracts/answer/answer-draft';
import { AnswerPassage } from '../../contracts/answer/answer-passage';
import { AnswerMessage } from '../../contracts/answer/message';
import { WordCounts } from '../../contracts/report/word-counts';
import { Critique } from '../../contracts/verification/critique';

export const ContextPassage = AnswerPassage.extend({
  /** What stands for its text where it was compressed; quotes are looked up in the text all the same. */
  compressed: z.string().min(1).optional(),
});
export type ContextPassage = z.infer<typeof ContextPassage>;

export const AnswerInput = z.object({
  question: z.string(),

  /** The turns before, oldest first. */
  history: z.array(AnswerMessage),
  /** Best first. */
  passages: z.array(ContextPassage),
  counts: WordCounts,
  /** How likely it is that what was searched answers at all. */
  answerable: z.number().min(0).max(1),
  synthesisMode: z.boolean(),
  /** What was wrong with an earlier answer; its ids of sources are those of passages. */
  critique: Critique.partial().optional(),
  maxTokens: z.int().positive(),
  temperature: z.number().min(0).max(2),
});
export type AnswerInput = z.infer<typeof AnswerInput>;

export const AnswerOutput = AnswerDraft;
export type AnswerOutput = AnswerDraft;
