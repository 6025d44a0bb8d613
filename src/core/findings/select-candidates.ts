import type { Assertion } from '../assertions/assertion';
import { assertionOf } from '../assertions/assertion-of';
import { compareAssertions } from '../conflicts/compare-assertions';
import { isClash } from '../conflicts/comparison';
import { contentKey, contentStems, sentenceLikeness } from '../worth/content-stems';
import type { Candidate } from './candidate';

/** A claim with all sentences that assert it in nearly the same words, one a source, the chosen one first. */
export interface Claim {
  chosen: Candidate;
  agreeing: Candidate[];
}

const MAX_PER_SOURCE = 2;
/** From here on two sentences say the same; found on pairs that differ in nothing but a function word or a spelling. */
const SAME = 0.85;
/** A second finding of one source must say something else than the first. */
const TOO_CLOSE_IN_SOURCE = 0.3;
/** Below this, or below this share of the best sources' best, a sentence is rather left out than reported. */
const MIN_SCORE = 0.02;
const MIN_SHARE = 0.52;
/** A source's best sentence may stand below others by so much more, for the sake of hearing more sources. */
const MIN_SHARE_OF_FIRST = 0.36;
/** The same where the question names an outcome: what speaks of it at all is worth hearing. */
const MIN_SHARE_ON_OUTCOME = 0.2;
/** A sentence that is not about what the section's title says is left out, unless all others are not, either. */
const MIN_TITLE_FIT = 0.3;
const BEST_SOURCES = 4;
/** A sentence that misses one of the question's concepts is left out, unless all others miss it as well. */
const MIN_QUESTION_FIT = 0.12;
const MIN_FIT_SHARE = 0.5;
/** Where the question names an outcome, a sentence that names less than others of what is asked is off it. */
const FIT_SHARE_ON_OUTCOME = 0.35;

/**
 * The best candidates of all sources, best first: each source once before any comes twice, none in two wordings. Sources that
 * nearly repeat another one (`nearDuplicateOf`) count as that one. Where the question names an outcome (`namesOutcome`), a
 * sentence on it is wanted wherever the outline has put its source.
 */
export function selectClaims(
  all: readonly (readonly Candidate[])[],
  { max, namesOutcome }: { max: number; namesOutcome: boolean },
): Claim[] {
  const readings = toTheQuestion(all, namesOutcome);
  const claims: { claim: Claim; key: string; stems: Set<string> }[] = [];
  const perSource = new Map<string, number>();
  const floor = floorOf(readings);
  const rounds = Array.from({ length: MAX_PER_SOURCE }, (_, round) => round);
  for (const round of rounds) {
    const shareOfFirst = namesOutcome ? MIN_SHARE_ON_OUTCOME : MIN_SHARE_OF_FIRST;
    const least = round === 0 ? (floor * shareOfFirst) / MIN_SHARE : floor;
    const offers = readings
      .flatMap((candidates) => nextOffers(candidates, round, Math.max(MIN_SCORE, least)))
      .sort(byScore);
    for (const candidate of offers) {
      const key = contentKey(candidate.sentence.text);
      const stems = new Set(contentStems(candidate.sentence.text));
      const same = claims.find(
        (other) =>
          (other.key === key || sentenceLikeness(other.stems, stems) >= SAME) &&
          !contradict(other.claim.chosen, candidate),
      );
      const origin = originOf(candidate);
      if (same) {
        const asserting = [same.claim.chosen, ...same.claim.agreeing].map(originOf);
        if (!asserting.includes(origin)) same.claim.agreeing.push(candidate);
        continue;
      }
      const taken = perSource.get(origin) ?? 0;
      if (claims.length >= max || taken > round) continue;
      const ofSource = claims.filter(({ claim }) => originOf(claim.chosen) === origin);
      if (ofSource.some((other) => sentenceLikeness(other.stems, stems) >= TOO_CLOSE_IN_SOURCE)) continue;
      perSource.set(origin, taken + 1);
      claims.push({ claim: { chosen: candidate, agreeing: [] }, key, stems });
    }
  }
  return claims.map(({ claim }) => claim).sort((one, other) => byScore(one.chosen, other.chosen));
}

/** The first round has each source's best sentence, the next rounds the ones after it. */
function nextOffers(candidates: readonly Candidate[], round: number, floor: number): Candidate[] {
  const good = candidates.filter((candidate) => candidate.score >= floor);
  return round === 0 ? good.slice(0, 1) : good.slice(1, 6).filter(({ standsAlone }) => standsAlone);
}

/** Nearly the same words may say the contrary: "did not increase" is no second source for "increased". */
function contradict(one: Candidate, other: Candidate): boolean {
  const [a, b] = [assertionIn(one), assertionIn(other)];
  return a !== null && b !== null && isClash(compareAssertions(a, b));
}

function assertionIn({ sentence, source }: Candidate): Assertion | null {
  return assertionOf(sentence.text, { title: source.title });
}

function toTheQuestion(readings: readonly (readonly Candidate[])[], namesOutcome: boolean): Candidate[][] {
  const all = readings.flat();
  const best = all.reduce((most, { questionFit }) => Math.max(most, questionFit), 0);
  const least = namesOutcome ? FIT_SHARE_ON_OUTCOME * best : Math.min(MIN_QUESTION_FIT, MIN_FIT_SHARE * best);
  const bestTitle = all.reduce((most, { titleFit }) => Math.max(most, titleFit), 0);
  const leastTitle = namesOutcome ? 0 : Math.min(MIN_TITLE_FIT, MIN_FIT_SHARE * bestTitle);
  return readings.map((candidates) =>
    candidates.filter(({ questionFit, titleFit }) => questionFit >= least && titleFit >= leastTitle),
  );
}

function floorOf(readings: readonly (readonly Candidate[])[]): number {
  const best = readings
    .map((candidates) => candidates[0]?.score ?? 0)
    .sort((one, other) => other - one)
    .slice(0, BEST_SOURCES);
  return Math.max(
    MIN_SCORE,
    (MIN_SHARE * best.reduce((sum, score) => sum + score, 0)) / Math.max(1, best.length),
  );
}

function originOf({ source }: Candidate): string {
  return source.nearDuplicateOf ?? source.sourceId;
}

function byScore(one: Candidate, other: Candidate): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.source.sourceId !== other.source.sourceId)
    return one.source.sourceId < other.source.sourceId ? -1 : 1;
  return one.sentence.start - other.sentence.start;
}
