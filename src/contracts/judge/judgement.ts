import { z } from 'zod';
import { ArtifactRef } from '../run/artifact';
import {
  FORM_DIMENSIONS,
  JUDGE_DIMENSIONS,
  JudgeScore,
  JudgeScores,
  ofEach,
  WEIGHTED_DIMENSIONS,
} from './dimensions';

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
