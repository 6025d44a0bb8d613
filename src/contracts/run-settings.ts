import { z } from 'zod';
import { isSafePattern } from '../lib/strings';

/** Limits the matching time, together with the rejection of nested repetitions below. */
const MAX_PATTERN_CHARS = 200;

const Domain = z.string().regex(/^(?:\*|[a-z0-9-]+)(?:\.(?:\*|[a-z0-9-]+))*$/, 'a domain in lower case');

/**
 * Rates the publisher of a URL. A rule matches if all its parts match, and the first matching rule decides. Added rules precede
 * the built-in ones.
 */
export const QualityRule = z
  .object({
    level: z.enum(['authoritative', 'general']),
    /** Shown after the host: `ncbi.nlm.nih.gov: a peer-reviewed journal archive`. */
    reason: z.string().trim().min(1).max(200),
    /** The host is one of them or a subdomain. `*` is a country: `ac.*` matches `ox.ac.uk`. */
    domains: z.array(Domain).min(1).optional(),
    /** First labels of the host: `docs` matches `docs.example.org`. */
    hostStarts: z.array(z.string().min(1)).min(1).optional(),
    /** A regular expression for the lower-case path. */
    path: z
      .string()
      .min(1)
      .max(MAX_PATTERN_CHARS)
      .refine(isSafePattern, 'a regular expression, without a repetition of a repetition')
      .optional(),
  })
  .refine(
    ({ domains, hostStarts, path }) => (domains ?? hostStarts ?? path) !== undefined,
    'a rule with domains, hostStarts or path',
  );
export type QualityRule = z.infer<typeof QualityRule>;

export const QualityRules = z.array(QualityRule).max(1_000);

/** `SYNTHESIS_CONFIG` of document 002 in camel case; characters are UTF-16 units. A run keeps the values of its start. */
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

/** `[1]`, `[1: p.5-6]`, or `(file, Page n)` and `[Source: url]`. */
export const AnswerCitationStyle = z.enum(['numbered', 'passage', 'inline']);
export type AnswerCitationStyle = z.infer<typeof AnswerCitationStyle>;

/** Part of a run's input. */
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

/** The text of a template is part of the run's input, and so of its history. */
export const MAX_TEMPLATE_CHARS = 20_000;

/** Part of a run's input. */
export const BriefSettings = z.object({
  /** The words that the whole text is to have, within 15 % where the material allows; null for as many as it takes. */
  words: z.int().min(200).max(50_000).nullable().default(null),
  /** Where no words are wanted: the most that the whole text should have. It is never cut off; a longer one is warned about. */
  maxWords: z.int().min(200).max(100_000).default(10_000),
  /** Up to so many words, and an input that fits, are written in one call (document 000's ceiling). */
  oneCallWords: z.int().min(0).max(20_000).default(2_000),
  /** Of what models write. */
  temperature: z.number().min(0).max(2).default(0),
  /** The name of a template that ships (`brief`, `decision-memo`, `literature-review`), or the text of one. */
  template: z.string().trim().min(1).max(MAX_TEMPLATE_CHARS).default('brief'),
  /** Claims that the summaries or their sources do not bear are taken out of the text and listed. Whether sources that they alone cite are numbered before those that nothing cites (`mark`) or among them (`remove`). */
  unsupportedClaims: z.enum(['mark', 'remove']).default('mark'),
});
export type BriefSettings = z.infer<typeof BriefSettings>;

/** A question to the judging model. */
type Question = z.ZodDefault<z.ZodString>;
const question = (asks: string): Question => z.string().trim().min(1).max(500).default(asks);

const weighted = (
  weight: number,
  asks: string,
): z.ZodPrefault<z.ZodObject<{ weight: z.ZodDefault<z.ZodNumber>; asks: Question }>> =>
  z
    .object({
      /** Relative to the other dimensions; weights need not add up to 1. */
      weight: z.number().min(0).max(1).default(weight),
      asks: question(asks),
    })
    .prefault({});

const unweighted = (asks: string): z.ZodPrefault<z.ZodObject<{ asks: Question }>> =>
  z.object({ asks: question(asks) }).prefault({});

/** Part of a run's input. Weights, threshold and revisions are those of document 000. */
export const JudgeSettings = z.object({
  /** Whether reports and briefs are judged; an answer is where `--judge` says so. */
  enabled: z.boolean().default(true),
  /** The weighted score from which a text passes, where each dimension without a weight reaches it, too. */
  threshold: z.number().min(1).max(5).default(3.5),
  /** A text that does not pass is revised so often at most. */
  maxRevisions: z.int().min(0).max(2).default(2),
  rubric: z
    .object({
      factualAccuracy: weighted(
        0.3,
        'Are claims supported by the material that was provided, without hallucinated facts?',
      ),
      completeness: weighted(0.25, 'Does the text address all topics with sufficient depth?'),
      coverage: weighted(0.2, 'Are diverse perspectives and sources represented?'),
      coherence: weighted(0.15, 'Does the text flow logically with smooth transitions?'),
      bias: weighted(0.1, 'Is the text balanced and free from unwarranted bias?'),
      answerFirst: unweighted(
        'Does the first sentence of the text answer the question, with the number or range that a reader can use?',
      ),
      readability: unweighted(
        'Does a reader understand the text at first reading, without lists of findings and repeated remarks?',
      ),
      length: unweighted(
        'Is the text as long as the question needs, with nothing said twice? A summary may say in short what the rest tells.',
      ),
    })
    .prefault({}),
});
export type JudgeSettings = z.infer<typeof JudgeSettings>;

/** Each role has its own task queue. */
const WorkerRole = z.enum(['runs', 'computing', 'models']);
export type WorkerRole = z.infer<typeof WorkerRole>;

export const workerRoles: readonly WorkerRole[] = WorkerRole.options;

const DESCRIPTION = 'one or more of runs, computing, models, with commas between them';

/** A comma-separated text, as in a variable, or a list. */
export const WorkerRoles = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.split(',').map((role) => role.trim()) : given),
    z.array(WorkerRole).min(1),
  )
  .describe(DESCRIPTION);

/** Sources whose text is shown around a quote: those whose licence allows it, all, or none. */
export const TextsShown = z.enum(['open', 'all', 'none']);
export type TextsShown = z.infer<typeof TextsShown>;
