import { JUDGE_DIMENSIONS, type JudgeDimension } from '../../../../contracts/judge/dimensions';
import type { JudgedDocument } from '../../../../contracts/judge/judged-document';
import type { DimensionScore, JudgeOpinion } from '../../../../contracts/judge/judgement';

/** An opinion on a portion of a text. */
export interface PortionOpinion {
  document: JudgedDocument;
  opinion: JudgeOpinion;
}

/**
 * One opinion of those on portions: each score is the mean by the length of the portions, the reasons are those of the lowest
 * first, and all places are named. Of a text that a model read in part, a model is the judge.
 */
export function mergeOpinions(portions: readonly PortionOpinion[]): JudgeOpinion {
  const [first] = portions;
  if (first === undefined) throw new Error('There is no opinion to merge.');
  if (portions.length === 1) return first.opinion;
  const merged = JUDGE_DIMENSIONS.map((dimension) => [dimension, mergedScore(dimension, portions)] as const);
  const by = portions.some(({ opinion }) => opinion.by === 'model') ? 'model' : 'measures';
  return { ...first.opinion, ...Object.fromEntries(merged), by };
}

function mergedScore(dimension: JudgeDimension, portions: readonly PortionOpinion[]): DimensionScore {
  const lengths = portions.map(({ document }) => Math.max(1, charsOf(document)));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const scores = portions.map(({ opinion }) => opinion[dimension]);
  const score = scores.reduce((sum, own, at) => sum + (own.score * (lengths[at] ?? 0)) / whole, 0);
  const reasons = [...scores].sort((a, b) => a.score - b.score).map(({ reason }) => reason);
  return {
    score: Math.min(5, Math.max(1, score)),
    reason: [...new Set(reasons)].join(' '),
    places: scores.flatMap(({ places }) => places),
  };
}

function charsOf({ parts }: JudgedDocument): number {
  return parts.reduce((sum, { markdown }) => sum + markdown.length, 0);
}
