import { z } from 'zod';

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
export const JudgeScore = z.number().min(1).max(5);

/** What was stored before there were points of form has none. */
export const JudgeScores = z.object({
  ...ofEach(WEIGHTED_DIMENSIONS, () => JudgeScore),
  ...ofEach(FORM_DIMENSIONS, () => JudgeScore.optional()),
});
export type JudgeScores = z.infer<typeof JudgeScores>;
