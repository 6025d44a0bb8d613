import { z } from 'zod';
import { ArtifactRef } from '../run/artifact';
import { JudgeScore, JudgeScores } from './dimensions';

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

const dimensionScores = {
  factualAccuracy: DimensionScore,
  completeness: DimensionScore,
  coverage: DimensionScore,
  coherence: DimensionScore,
  bias: DimensionScore,
};

export const JudgeOpinion = z.object({ by: JudgedBy, ...dimensionScores });
export type JudgeOpinion = z.infer<typeof JudgeOpinion>;

/** An opinion, bounded by what the verifier counted, and weighed. */
export const Judgement = z.object({
  by: JudgedBy,
  scores: z.object(dimensionScores),
  /** What the verifier's figures allow of factual accuracy at most. */
  accuracyBound: JudgeScore,
  /** Weighted, 1–5. */
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
  /** The version that was kept: the best, the earlier of two that are as good. */
  version: z.int().positive(),
  versions: z.array(JudgedVersion).min(1),
});
export type ReportJudge = z.infer<typeof ReportJudge>;
