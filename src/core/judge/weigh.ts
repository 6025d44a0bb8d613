import {
  FORM_DIMENSIONS,
  JUDGE_DIMENSIONS,
  type JudgeDimension,
  WEIGHTED_DIMENSIONS,
} from '../../contracts/judge/dimensions';
import type { JudgedDocument, JudgedClaim } from '../../contracts/judge/judged-document';
import type { DimensionScore, Judgement, JudgeOpinion, JudgedPlace } from '../../contracts/judge/judgement';
import type { JudgeSettings } from '../../contracts/judge/rubric';
import { toldVerdicts } from './told-verdicts';
import type { Verdict } from '../../contracts/verification/claim-verdict';

/** Of each part so many places are named; a writer that mends them reads the whole part anyway. */
const MOST_OF_A_PART = 5;

/**
 * What a claim is worth by its verdict. What follows from what is cited is as right as what is said there. A claim that is borne in
 * part says something besides; of what words alone leave open a half is right (of 914 such claims of AttributionBench 465); what is
 * unsupported or contradicted is worth nothing.
 */
const WORTH: Record<Verdict, number> = {
  supported: 1,
  inference: 1,
  unchecked: 0.5,
  partial: 0.5,
  unsupported: 0,
  contradicted: 0,
};

/** A text that lost so many of its claims was written badly, however well what is left of it reads. */
const MANY_ASIDE = 1 / 3;

const BOUND_OF_MANY = 3;

const BEST = 5;

export interface Weighed extends Judgement {
  scores: Record<JudgeDimension, DimensionScore>;
}

/**
 * What a judge's opinion comes to: factual accuracy is what the judge gives or what the verifier's figures allow, whichever is
 * less; where a third of the claims was set aside no score is above 3; the scores are weighed by the rubric, whose weights need not
 * add up to 1 (all of them 0 count alike). A text passes where the weighted score and each point of form reach the threshold. Scores
 * are rounded to hundredths, and what is rounded is held against the threshold: what a reader sees decides.
 */
export function weigh(
  { by, ...given }: JudgeOpinion,
  { rubric, threshold }: JudgeSettings,
  document: JudgedDocument,
): Weighed {
  const most = boundOfAsides(document.claims);
  const bound = Math.min(hundredths(accuracyBound(document.claims)), most);
  const factualAccuracy = bounded(given.factualAccuracy, bound, document);
  const scores = { ...given, factualAccuracy };
  for (const dimension of JUDGE_DIMENSIONS)
    scores[dimension] = { ...scores[dimension], score: Math.min(hundredths(scores[dimension].score), most) };
  const weights = WEIGHTED_DIMENSIONS.map((dimension) => rubric[dimension].weight);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const weighted = WEIGHTED_DIMENSIONS.map((dimension, at) => {
    const share = whole === 0 ? 1 / weights.length : (weights[at] ?? 0) / whole;
    return share * scores[dimension].score;
  });
  const overall = hundredths(weighted.reduce((sum, part) => sum + part, 0));
  const passed = overall >= threshold && FORM_DIMENSIONS.every((point) => scores[point].score >= threshold);
  return { by, scores, accuracyBound: bound, overall, threshold, passed };
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

/** The most that any score of a text may be, 1–5, by how many of its claims were set aside, whether by words or by an audit. */
function boundOfAsides(claims: readonly { stands: boolean }[]): number {
  const aside = claims.filter(({ stands }) => !stands).length;
  return aside > 0 && aside >= MANY_ASIDE * claims.length ? BOUND_OF_MANY : BEST;
}

/**
 * The most that the verifier's figures allow of factual accuracy, 1–5: 1 + 4 × the mean worth of the claims as they were
 * written. Claims that were set aside are among them: a writer that has to be mended is not accurate, and a text whose wrong
 * claims were all taken out would else be perfect. A text without claims has nothing that was checked: it counts as unchecked.
 */
export function accuracyBound(claims: readonly { verdict: Verdict }[]): number {
  const worth = claims.reduce((sum, { verdict }) => sum + WORTH[verdict], 0);
  const mean = claims.length === 0 ? WORTH.unchecked : worth / claims.length;
  return 1 + 4 * mean;
}

/**
 * Where claims stand that nothing bears, or in the place of which something else stands now. Claims that nobody checked are no
 * places: writing them anew in other words would not make them sure.
 */
export function doubtedPlaces({ parts, claims }: Pick<JudgedDocument, 'parts' | 'claims'>): JudgedPlace[] {
  return parts.flatMap(({ id, markdown }) => {
    const quotes = claims
      .filter((claim) => claim.partId === id && isDoubted(claim))
      .map(({ text, written = text }) => (markdown.includes(written) ? written : null));
    return [...new Set(quotes)].slice(0, MOST_OF_A_PART).map((quote) => ({ partId: id, quote }));
  });
}

function isDoubted({ verdict, stands }: JudgedClaim): boolean {
  return !stands || verdict === 'unsupported' || verdict === 'contradicted' || verdict === 'partial';
}
