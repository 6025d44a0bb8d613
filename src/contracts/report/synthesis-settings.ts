import { z } from 'zod';
import { QualityRules } from '../source/quality-rule';

/**
 * Document 002's `SYNTHESIS_CONFIG`, in camel case; characters are UTF-16 units. What a run is started with holds for it to
 * its end.
 */
export const SynthesisSettings = z.object({
  /** False: one pass over an excerpt of each source, as before document 002; no outline, no cross-check. */
  enableMultiPass: z.boolean().default(true),
  /** How many summaries pass 1 reads, those nearest to the question first; −1 for all. */
  pass1SummaryCount: z
    .union([z.literal(-1), z.int().min(1).max(100_000)])
    .describe('-1 for all, or a whole number of at least 1')
    .default(-1),
  /** How many sources a section reads in full. */
  pass2FullContentCount: z.int().min(1).max(100).default(50),
  /** How many further sources findings are checked against. */
  pass3CrossRefCount: z.int().min(0).max(100).default(30),
  /** How many characters a section reads of its sources together. */
  maxTotalChars: z.int().min(10_000).max(4_000_000).default(400_000),
  /** How many characters of a source are read in full at most. */
  maxCharsPerSource: z.int().min(1_000).max(200_000).default(100_000),
  /** Where each source would get fewer, a section is read in several calls. */
  minCharsPerSource: z.int().min(500).max(100_000).default(5_000),
  /** A section that cites fewer sources is warned about. */
  minCitationsPerSection: z.int().min(1).max(50).default(3),
  /** A report that cites fewer sources does not meet its minimum. */
  minTotalCitations: z.int().min(1).max(1_000).default(50),
  /** Words that the report aims at; it holds where there is material for them. */
  targetReportLength: z.int().min(300).max(50_000).default(7_500),
  /** False: findings are not held against further sources, and keep the confidence of pass 2. */
  enableCrossReference: z.boolean().default(true),
  /** False: numbers are not checked by themselves; findings below 0.8 still are. */
  enableFactChecking: z.boolean().default(true),
  /** False: nothing is told of where sources disagree, and no finding loses confidence for it. */
  enableConflictDetection: z.boolean().default(true),
  /** Findings from this confidence on are the major ones: what opens the report and what is assessed at its end. */
  confidenceThreshold: z.number().min(0).max(1).default(0.7),
  /** The endpoint's name of the model for pass 1; null for the fast model. */
  overviewModel: z.string().trim().min(1).nullable().default(null),
  /** The endpoint's name of the model for passes 2 to 4; null for the strong model. */
  deepdiveModel: z.string().trim().min(1).nullable().default(null),
  /** Of what models write; what they read, compare and judge has 0. */
  temperature: z.number().min(0).max(2).default(0),
  /** How the report cites: `[3]`, or `[https://…]` as document 002 does. */
  citationStyle: z.enum(['numbered', 'url']).default('numbered'),
  /** Claims that their sources do not bear are taken out of the text and listed. Whether sources that they alone cite are numbered among the report’s (`mark`) or not (`remove`). */
  unsupportedClaims: z.enum(['mark', 'remove']).default('mark'),
  /** Rules on who stands behind an address, asked before the built-in ones. */
  sourceQualityRules: QualityRules.describe(
    'a list of `{ "level": "authoritative" or "general", "reason": … }`, each with at least one of `domains`, `hostStarts` and `path` (a regular expression)',
  ).default([]),
});
export type SynthesisSettings = z.infer<typeof SynthesisSettings>;
