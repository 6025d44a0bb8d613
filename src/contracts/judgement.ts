import { z } from 'zod';
import { Verdict } from './finding';
import { ArtifactRef, SourceId } from './source';

/** The dimensions of document 000, in its order; their weighted mean is the overall score. */
export const WEIGHTED_DIMENSIONS = [
  'factualAccuracy',
  'completeness',
  'coverage',
  'coherence',
  'bias',
] as const;

/** Points of form: they have no weight, and a text passes only if each of them reaches the threshold. */
export const FORM_DIMENSIONS = ['answerFirst', 'readability', 'length'] as const;

export type FormDimension = (typeof FORM_DIMENSIONS)[number];

export const JUDGE_DIMENSIONS = [...WEIGHTED_DIMENSIONS, ...FORM_DIMENSIONS] as const;
export const JudgeDimension = z.enum(JUDGE_DIMENSIONS);
export type JudgeDimension = z.infer<typeof JudgeDimension>;

/** The same of each dimension. */
export function ofEach<Name extends JudgeDimension, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>; // each has one
}

/** From 1, the worst, to 5. */
const JudgeScore = z.number().min(1).max(5);

/** What was stored before there were points of form has none. */
export const JudgeScores = z.object({
  ...ofEach(WEIGHTED_DIMENSIONS, () => JudgeScore),
  ...ofEach(FORM_DIMENSIONS, () => JudgeScore.optional()),
});
export type JudgeScores = z.infer<typeof JudgeScores>;

/** A place in a part; `quote` stands word for word in its Markdown, and is null where the whole part is meant, or its absence. */
export const JudgedPlace = z.object({ partId: z.string().min(1), quote: z.string().min(1).nullable() });
export type JudgedPlace = z.infer<typeof JudgedPlace>;

export const DimensionScore = z.object({
  score: JudgeScore,
  reason: z.string().min(1),
  /** What is to be mended; empty where nothing is. */
  places: z.array(JudgedPlace),
});
export type DimensionScore = z.infer<typeof DimensionScore>;

export const JudgedBy = z.literal('model');
export type JudgedBy = z.infer<typeof JudgedBy>;

export const JudgeOpinion = z.object({ by: JudgedBy, ...ofEach(JUDGE_DIMENSIONS, () => DimensionScore) });
export type JudgeOpinion = z.infer<typeof JudgeOpinion>;

/** An opinion, bounded by what the verifier counted, and weighed. */
export const Judgement = z.object({
  by: JudgedBy,
  /** What was stored before there were points of form has none. */
  scores: z.object({
    ...ofEach(WEIGHTED_DIMENSIONS, () => DimensionScore),
    ...ofEach(FORM_DIMENSIONS, () => DimensionScore.optional()),
  }),
  /** What the verifier's figures allow of factual accuracy at most. */
  accuracyBound: JudgeScore,
  /** The weighted mean of the dimensions of document 000, 1–5. */
  overall: JudgeScore,
  threshold: JudgeScore,
  passed: z.boolean(),
});
export type Judgement = z.infer<typeof Judgement>;

export const JudgedVersion = z.object({
  /** From 1, in the order in which they were written. */
  n: z.int().positive(),
  by: JudgedBy,
  scores: JudgeScores,
  overall: JudgeScore,
  passed: z.boolean(),
  /** The parts that were written anew for it; empty for the first. */
  revised: z.array(z.string()),
  reportRef: ArtifactRef,
  markdownRef: ArtifactRef,
});
export type JudgedVersion = z.infer<typeof JudgedVersion>;

export const ReportJudge = Judgement.extend({
  /** The version that was kept: the best of those that passed, else of all; the earlier of two that are as good. */
  version: z.int().positive(),
  versions: z.array(JudgedVersion).min(1),
});
export type ReportJudge = z.infer<typeof ReportJudge>;

export const JudgedPart = z.object({
  /** `summary`, `section-2`, `subtopic-3`, `conclusions`, `answer`: the part that a revision would write anew. */
  id: z.string().min(1),
  title: z.string(),
  role: z.enum(['summary', 'body', 'conclusions']),
  markdown: z.string(),
});
export type JudgedPart = z.infer<typeof JudgedPart>;

export const JudgedClaim = z.object({
  partId: z.string(),
  /** Without citation marks and Markdown. */
  text: z.string().min(1),
  /** As it stands in its part; absent where it does not stand. */
  written: z.string().min(1).optional(),
  sourceIds: z.array(SourceId),
  verdict: Verdict,
  stands: z.boolean(),
});
export type JudgedClaim = z.infer<typeof JudgedClaim>;

/** What the material says, of which a text may tell; `text` has no marks. */
export const JudgedStatement = z.object({ text: z.string().min(1), sourceIds: z.array(SourceId) });
export type JudgedStatement = z.infer<typeof JudgedStatement>;

export const JudgedDocument = z.object({
  question: z.string(),
  title: z.string(),
  parts: z.array(JudgedPart),
  claims: z.array(JudgedClaim),
  /** What the text is to tell of: subtopics, sections of an outline, or the question; `id` is the part that should tell it, where one is planned to. */
  topics: z.array(
    z.object({
      id: z.string().min(1),
      title: z.string(),
      statements: z.array(JudgedStatement),
      /** How many more were given that were set aside before anything was written; absent where none were. */
      setAside: z.int().positive().optional(),
    }),
  ),
  conflicts: z.array(z.object({ topic: z.string(), viewpoints: z.array(JudgedStatement).min(2) })),
  /** All that the text might cite; `n` is null for what it does not list. `site` tells whose it is, where that is known. */
  sources: z.array(
    z.object({
      sourceId: SourceId,
      n: z.int().positive().nullable(),
      title: z.string(),
      site: z.string().nullable(),
      publishedAt: z.string().optional(),
    }),
  ),
  /** The words that were wanted; null where none were. */
  targetWords: z.int().positive().nullable(),
});
export type JudgedDocument = z.infer<typeof JudgedDocument>;
