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

const MOST_OF_A_PART = 5;

/**
 * Value of a claim by its verdict. An inference is as right as its source; half of a partial claim is not supported.
 * Half of the claims that words leave open are right (465 of 914 in AttributionBench).
 */
const VERDICT_VALUE: Record<Verdict, number> = {
  supported: 1,
  inference: 1,
  unchecked: 0.5,
  partial: 0.5,
  unsupported: 0,
  contradicted: 0,
};

const MANY_REJECTED = 1 / 3;

const MAX_IF_MANY_REJECTED = 3;

const MAX_SCORE = 5;

export interface ScoredJudgement extends Judgement {
  scores: Record<JudgeDimension, DimensionScore>;
}

/**
 * Final scores from a judge's opinion. The verifier's figures limit factual accuracy, and many rejected claims limit
 * all scores to 3. Rubric weights are normalised; if all are 0, they are equal. Scores are rounded to hundredths
 * before they are compared with the threshold, so that readers see the deciding values.
 */
export function scoreJudgement(
  { by, ...given }: JudgeOpinion,
  { rubric, threshold }: JudgeSettings,
  document: JudgedDocument,
): ScoredJudgement {
  const most = maxScoreOf(document.claims);
  const bound = Math.min(hundredths(accuracyBound(document.claims)), most);
  const factualAccuracy = boundAccuracy(given.factualAccuracy, bound, document);
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

function boundAccuracy(given: DimensionScore, bound: number, document: JudgedDocument): DimensionScore {
  if (hundredths(given.score) <= bound) return given;
  const named = new Set(given.places.map(({ partId, quote }) => `${partId}\n${quote ?? ''}`));
  const more = doubtedPlaces(document).filter(({ partId, quote }) => !named.has(`${partId}\n${quote ?? ''}`));
  const figures = `Bounded at ${bound} by the verifier’s figures (the judge gave ${hundredths(given.score)}): ${formatVerdicts(document.claims)}`;
  return { score: bound, reason: `${figures} ${given.reason}`, places: [...given.places, ...more] };
}

function hundredths(score: number): number {
  return Math.round(score * 100) / 100;
}

function maxScoreOf(claims: readonly { stands: boolean }[]): number {
  const aside = claims.filter(({ stands }) => !stands).length;
  return aside > 0 && aside >= MANY_REJECTED * claims.length ? MAX_IF_MANY_REJECTED : MAX_SCORE;
}

/**
 * Maximum factual accuracy, 1–5: 1 + 4 × the mean value of the claims as first written. Rejected claims count, or a
 * text would be perfect after all wrong claims are removed. A text without claims counts as unchecked.
 */
export function accuracyBound(claims: readonly { verdict: Verdict }[]): number {
  const worth = claims.reduce((sum, { verdict }) => sum + VERDICT_VALUE[verdict], 0);
  const mean = claims.length === 0 ? VERDICT_VALUE.unchecked : worth / claims.length;
  return 1 + 4 * mean;
}

/**
 * Places of claims that are unsupported or replaced. Unchecked claims are left out: new wording would not make them
 * sure.
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

/** `Of 12 claims 9 are supported, 1 in part, 2 unchecked.` */
export function formatVerdicts(written: readonly { verdict: Verdict }[]): string {
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

const CITATION_NUMBERS = /\s*\[A?\d+\]/g;

const UNSCORED = { reason: '', places: [] };

/**
 * Problems of one part, without repeats. With `areClaimsNamed`, accuracy problems without a quote are left out,
 * because an audit names those claims.
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
      .map(({ quote }) => ({ reason, quote: quote?.replace(CITATION_NUMBERS, '') ?? null }));
  });
  return [
    ...new Map(problems.map((problem) => [`${problem.reason}\n${problem.quote ?? ''}`, problem])).values(),
  ];
}

const AT_THE_TOP = 4.5;

/** Parts to rewrite: those named by dimensions below the top, else by any dimension, in order and without repeats. */
export function partsToRevise({ scores }: Pick<Judgement, 'scores'>): string[] {
  const naming = JUDGE_DIMENSIONS.flatMap((dimension) => scores[dimension] ?? []).filter(
    ({ places, score }) => places.length > 0 && score < 5,
  );
  const below = naming.filter(({ score }) => score < AT_THE_TOP);
  const places = (below.length > 0 ? below : naming).flatMap((dimension) => dimension.places);
  return [...new Set(places.map(({ partId }) => partId))];
}

/** Notice for a text that was kept although its judge did not pass it; null if it passed. */
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
