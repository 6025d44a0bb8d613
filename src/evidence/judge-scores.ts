import type { Verdict } from '../contracts/finding';
import {
  type DimensionScore,
  FORM_DIMENSIONS,
  JUDGE_DIMENSIONS,
  type JudgedClaim,
  type JudgedDocument,
  type JudgeDimension,
  type JudgedPlace,
  type Judgement,
  type JudgeOpinion,
  type ReportJudge,
  WEIGHTED_DIMENSIONS,
} from '../contracts/judgement';
import type { JudgeSettings } from '../contracts/run-settings';
import { count, writingTexts } from '../contracts/wording';
import { countVerdicts } from './decide-statement';

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

/** `Of 12 claims 9 are supported, 1 in part, 2 unchecked.`: what the verifier counted, for a reader. */
export function toldVerdicts(written: readonly { verdict: Verdict }[]): string {
  const { claims, supported, inference, partial, unchecked, unsupported, contradicted } =
    countVerdicts(written);
  if (claims === 0) return 'No claim of it was checked.';
  const others = [
    [inference, 'inferred'],
    [partial, 'in part'],
    [unchecked, 'unchecked'],
    [unsupported, 'unsupported'],
    [contradicted, 'contradicted'],
  ] as const;
  const told = others.flatMap(([amount, name]) => (amount === 0 ? [] : [`${amount} ${name}`]));
  return `Of ${count(claims, 'claim')} ${[`${supported} ${supported === 1 ? 'is' : 'are'} supported`, ...told].join(', ')}.`;
}

/** Numbers of citations: a judge reads them, and who writes knows nothing of them. */
const NUMBERS = /\s*\[A?\d+\]/g;

const UNSCORED = { reason: '', places: [] };

/**
 * What a judgement names of one part; what is said in several dimensions once. A claim that was set aside has no words left in
 * the part, so that its accuracy names the part as a whole: where an audit names those claims itself, that says nothing more.
 */
export function problemsOfPart(
  { scores }: Pick<Judgement, 'scores'>,
  partId: string,
  { areClaimsNamed = false }: { areClaimsNamed?: boolean } = {},
): { reason: string; quote: string | null }[] {
  const problems = JUDGE_DIMENSIONS.flatMap((dimension) => {
    const { reason, places } = scores[dimension] ?? UNSCORED;
    const isNamedElsewhere = areClaimsNamed && dimension === 'factualAccuracy';
    return places
      .filter((place) => place.partId === partId && !(isNamedElsewhere && place.quote === null))
      .map(({ quote }) => ({ reason, quote: quote?.replace(NUMBERS, '') ?? null }));
  });
  return [
    ...new Map(problems.map((problem) => [`${problem.reason}\n${problem.quote ?? ''}`, problem])).values(),
  ];
}

/** A score that rounds to 5 has nothing to gain from a revision. */
const AT_THE_TOP = 4.5;

/**
 * The parts to write anew: those of the places that are named in the dimensions below the top, or where only dimensions at the
 * top name any, those. In the order in which they are first named, dimension by dimension, without repeats.
 */
export function namedParts({ scores }: Pick<Judgement, 'scores'>): string[] {
  const naming = JUDGE_DIMENSIONS.flatMap((dimension) => scores[dimension] ?? []).filter(
    ({ places, score }) => places.length > 0 && score < 5,
  );
  const below = naming.filter(({ score }) => score < AT_THE_TOP);
  const places = (below.length > 0 ? below : naming).flatMap((dimension) => dimension.places);
  return [...new Set(places.map(({ partId }) => partId))];
}

/** For the reader of a text that was kept though its judge did not pass it, by its overall score or else by its form; null where it passed. */
export function judgeNotice({
  scores,
  overall,
  threshold,
  passed,
  version,
  versions,
}: ReportJudge): string | null {
  if (passed) return null;
  const shown = (score: number): string => withoutLastZero(writingTexts.score(score));
  const low = FORM_DIMENSIONS.flatMap((of) => {
    const score = scores[of]?.score ?? threshold;
    return score < threshold ? [{ of, score: shown(score) }] : [];
  });
  const short = overall < threshold ? [{ of: 'overall' as const, score: shown(overall) }] : low;
  return writingTexts.judged(short, shown(threshold), { version, of: versions.length });
}

function withoutLastZero(score: string): string {
  return score.replace(/0$/, '');
}
