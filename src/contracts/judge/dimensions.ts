import { z } from 'zod';

/** What a report is judged by (document 000), in its order. */
export const JUDGE_DIMENSIONS = ['factualAccuracy', 'completeness', 'coverage', 'coherence', 'bias'] as const;
export const JudgeDimension = z.enum(JUDGE_DIMENSIONS);
export type JudgeDimension = z.infer<typeof JudgeDimension>;

/** From 1, the worst, to 5. */
export const JudgeScore = z.number().min(1).max(5);

export const JudgeScores = z.object({
  factualAccuracy: JudgeScore,
  completeness: JudgeScore,
  coverage: JudgeScore,
  coherence: JudgeScore,
  bias: JudgeScore,
});
export type JudgeScores = z.infer<typeof JudgeScores>;
