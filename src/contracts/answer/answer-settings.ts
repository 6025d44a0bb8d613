import { z } from 'zod';

/** How an answer writes what it cites: `[1]`, `[1: p.5-6]`, or `(file, Page n)` and `[Source: url]`. */
export const AnswerCitationStyle = z.enum(['numbered', 'passage', 'inline']);
export type AnswerCitationStyle = z.infer<typeof AnswerCitationStyle>;

/** Everything that changes an answer, with its default; part of a run's input. */
export const AnswerSettings = z.object({
  /** So many turns of the conversation are read, the latest (document 001: 10). */
  maxHistory: z.int().min(0).max(100).default(10),
  /** So many attempts at most; a broader retrieval takes one. */
  maxAttempts: z.int().min(1).max(10).default(3),
  /** So many passages are retrieved. */
  passages: z.int().min(1).max(100).default(12),
  /** So many passages are retrieved where more broadly is looked. */
  broaderPassages: z.int().min(1).max(200).default(24),
  /**
   * Document 004: contexts of more characters are compressed, except their best passages. Without it 6,000, and sources that fit into
   * half of the model's window are read whole.
   */
  compressAboveChars: z.int().min(0).max(1_000_000).optional(),
  /** So many passages, the best, are not compressed. */
  keptWhole: z.int().min(0).max(100).default(3),
  /** A compressed passage has so many characters at most. */
  compressedChars: z.int().min(40).max(2_000).default(200),
  /** Less than this share of the context left over is too little. */
  overCompressionBelow: z.number().min(0).max(1).default(0.35),
  /** Document 003: so many tokens an answer has at most. */
  maxTokens: z.int().min(50).max(8_000).default(400),
  /** So many more it has in synthesis mode. */
  synthesisExtraTokens: z.int().min(0).max(8_000).default(200),
  /** Of the writing step alone (document 001). */
  temperature: z.number().min(0).max(2).default(0.7),
  /** Below this confidence an answer carries a disclaimer. */
  disclaimerBelow: z.number().min(0).max(1).default(0.5),
  /** How an answer cites. */
  citations: AnswerCitationStyle.default('numbered'),
});
export type AnswerSettings = z.infer<typeof AnswerSettings>;
