import { z } from 'zod';
import { Verdict } from './finding';
import { ArtifactRef, SourceId } from './source';

/** The dimensions of document 000, in its order. Their weighted mean is the overall score. */
export const WEIGHTED_DIMENSIONS = [
  'factualAccuracy',
  'completeness',
  'coverage',
  'coherence',
  'bias',
] as const;

/** Form dimensions have no weight. A text passes only if each of them reaches the threshold. */
export const FORM_DIMENSIONS = ['answerFirst', 'readability', 'length'] as const;

export type FormDimension = (typeof FORM_DIMENSIONS)[number];

export const JUDGE_DIMENSIONS = [...WEIGHTED_DIMENSIONS, ...FORM_DIMENSIONS] as const;
export const JudgeDimension = z.enum(JUDGE_DIMENSIONS);
export type JudgeDimension = z.infer<typeof JudgeDimension>;

export function mapDimensions<Name extends JudgeDimension, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>; // each has one
}

/** 1 (worst) to 5. */
const JudgeScore = z.number().min(1).max(5);

/** Older records have no form dimensions. */
export const JudgeScores = z.object({
  ...mapDimensions(WEIGHTED_DIMENSIONS, () => JudgeScore),
  ...mapDimensions(FORM_DIMENSIONS, () => JudgeScore.optional()),
});
export type JudgeScores = z.infer<typeof JudgeScores>;

/** `quote` occurs word for word in the part's Markdown; null for a whole part, or a missing one. */
export const JudgedPlace = z.object({ partId: z.string().min(1), quote: z.string().min(1).nullable() });
export type JudgedPlace = z.infer<typeof JudgedPlace>;

export const DimensionScore = z.object({
  score: JudgeScore,
  reason: z.string().min(1),
  places: z.array(JudgedPlace),
});
export type DimensionScore = z.infer<typeof DimensionScore>;

export const JudgedBy = z.literal('model');
export type JudgedBy = z.infer<typeof JudgedBy>;

export const JudgeOpinion = z.object({
  by: JudgedBy,
  ...mapDimensions(JUDGE_DIMENSIONS, () => DimensionScore),
});
export type JudgeOpinion = z.infer<typeof JudgeOpinion>;

/** A weighted opinion, limited by the verifier's counts. */
export const Judgement = z.object({
  by: JudgedBy,
  scores: z.object({
    ...mapDimensions(WEIGHTED_DIMENSIONS, () => DimensionScore),
    ...mapDimensions(FORM_DIMENSIONS, () => DimensionScore.optional()),
  }),
  /** Maximum for factual accuracy by the verifier's counts. */
  accuracyBound: JudgeScore,
  /** Weighted mean of the dimensions of document 000, 1–5. */
  overall: JudgeScore,
  threshold: JudgeScore,
  passed: z.boolean(),
});
export type Judgement = z.infer<typeof Judgement>;

export const JudgedVersion = z.object({
  /** From 1, in order of writing. */
  n: z.int().positive(),
  by: JudgedBy,
  scores: JudgeScores,
  overall: JudgeScore,
  passed: z.boolean(),
  /** Parts that were rewritten for this version; empty for the first. */
  revised: z.array(z.string()),
  reportRef: ArtifactRef,
  markdownRef: ArtifactRef,
});
export type JudgedVersion = z.infer<typeof JudgedVersion>;

export const ReportJudge = Judgement.extend({
  /** The kept version: the best that passed, otherwise the best of all; the earlier one of equals. */
  version: z.int().positive(),
  versions: z.array(JudgedVersion).min(1),
});
export type ReportJudge = z.infer<typeof ReportJudge>;

export const JudgedPart = z.object({
  /** `summary`, `section-2`, `subtopic-3`, `conclusions`, `answer`: the unit of a revision. */
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
  /** As in its part; absent if it was removed. */
  written: z.string().min(1).optional(),
  sourceIds: z.array(SourceId),
  verdict: Verdict,
  stands: z.boolean(),
});
export type JudgedClaim = z.infer<typeof JudgedClaim>;

/** A statement of the material, without marks. */
export const JudgedStatement = z.object({ text: z.string().min(1), sourceIds: z.array(SourceId) });
export type JudgedStatement = z.infer<typeof JudgedStatement>;

export const JudgedDocument = z.object({
  question: z.string(),
  title: z.string(),
  parts: z.array(JudgedPart),
  claims: z.array(JudgedClaim),
  /**
   * Required content: subtopics, sections of an outline, or the question. `id` is the part that should cover it, if one is
   * planned.
   */
  topics: z.array(
    z.object({
      id: z.string().min(1),
      title: z.string(),
      statements: z.array(JudgedStatement),
      /** Number of further statements that were rejected before writing; absent if there are none. */
      setAside: z.int().positive().optional(),
    }),
  ),
  conflicts: z.array(z.object({ topic: z.string(), viewpoints: z.array(JudgedStatement).min(2) })),
  /** All sources that the text may cite; `n` is null if the text does not list it. `site` is its publisher, if known. */
  sources: z.array(
    z.object({
      sourceId: SourceId,
      n: z.int().positive().nullable(),
      title: z.string(),
      site: z.string().nullable(),
      publishedAt: z.string().optional(),
    }),
  ),
  targetWords: z.int().positive().nullable(),
});
export type JudgedDocument = z.infer<typeof JudgedDocument>;
