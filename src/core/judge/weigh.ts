import { JUDGE_DIMENSIONS } from '../../contracts/judge/dimensions';
import type { JudgedDocument } from '../../contracts/judge/judged-document';
import type { DimensionScore, Judgement, JudgeOpinion } from '../../contracts/judge/judgement';
import type { JudgeSettings } from '../../contracts/judge/rubric';
import { accuracyBound, boundOfAsides } from './accuracy-bound';
import { doubtedPlaces } from './doubted-places';
import { toldVerdicts } from './told-verdicts';

/**
 * What a judge's opinion comes to: factual accuracy is what the judge gives or what the verifier's figures allow, whichever is
 * less; where a third of the claims was set aside no score is above 3; the scores are weighed by the rubric, whose weights need not
 * add up to 1 (all of them 0 count alike). Scores are rounded to hundredths, and what is rounded is held against the threshold: what
 * a reader sees decides.
 */
export function weigh(
  { by, ...given }: JudgeOpinion,
  { rubric, threshold }: JudgeSettings,
  document: JudgedDocument,
): Judgement {
  const most = boundOfAsides(document.claims);
  const bound = Math.min(hundredths(accuracyBound(document.claims)), most);
  const factualAccuracy = bounded(given.factualAccuracy, bound, document);
  const scores = { ...given, factualAccuracy };
  for (const dimension of JUDGE_DIMENSIONS)
    scores[dimension] = { ...scores[dimension], score: Math.min(hundredths(scores[dimension].score), most) };
  const weights = JUDGE_DIMENSIONS.map((dimension) => rubric[dimension].weight);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const weighted = JUDGE_DIMENSIONS.map((dimension, at) => {
    const share = whole === 0 ? 1 / weights.length : (weights[at] ?? 0) / whole;
    return share * scores[dimension].score;
  });
  const overall = hundredths(weighted.reduce((sum, part) => sum + part, 0));
  return { by, scores, accuracyBound: bound, overall, threshold, passed: overall >= threshold };
}

/** The opinion on factual accuracy, and where the figures allow less, those with the places that they are of. */
function bounded(given: DimensionScore, bound: number, document: JudgedDocument): DimensionScore {
  if (hundredths(given.score) <= bound) return given;
  const named = new Set(given.places.map(({ partId, quote }) => `${partId}\n${quote ?? ''}`));
  const more = doubtedPlaces(document).filter(({ partId, quote }) => !named.has(`${partId}\n${quote ?? ''}`));
  const figures = `Bounded at ${bound} by the verifier’s figures (the judge gave ${hundredths(given.score)}): ${toldVerdicts(document.claims)}`;
  return { score: bound, reason: `${figures} ${given.reason}`, places: [...given.places, ...more] };
}

function hundredths(score: number): number {
  return Math.round(score * 100) / 100;
}
