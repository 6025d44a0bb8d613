import type { Conflict, Evidence, Finding } from '../../../contracts/report/finding';
import type { SourcesById } from '../../../core/evidence/distinct-evidence';
import { numbersIn } from '../../../language/numbers';
import { chooseSentences, type ChoiceLimits } from '../../../reading/choose-sentences';
import type { RankedSentence } from '../../../reading/rank-sentences';
import { findConflicts } from '../../../reading/reconcile/find-conflicts';
import { groupAgreeing } from '../../../reading/reconcile/group-agreeing';
import { quoteOf } from '../quote';
import type { AnswerMaterial, PassageSentence } from './answer-material';

export interface AnswerClaim {
  /** Whether it contradicts the claim before it. */
  isAgainst: boolean;
  /** The quote as it stands in the passages' documents; that of `passageIds[0]` first. */
  evidence: Evidence[];
  passageIds: string[];
}

/** Fewer figures may be the same by chance. */
const LEAST_FIGURES = 3;
const EVEN = 0.5;
const COMPARED = 40;

/**
 * The best sentences, best first. Sentences of several documents that agree are one claim that cites them all. A sentence that
 * contradicts another one follows it.
 */
export function chooseClaims(
  ranked: readonly RankedSentence[],
  { collection, sentences, passages }: AnswerMaterial,
  { question, ...limits }: ChoiceLimits & { question: string },
): AnswerClaim[] {
  const compared = ranked.slice(0, COMPARED);
  const findings = compared.flatMap(findingFrom(sentences));
  const titles = titlesOf(sentences);
  const groups = groupAgreeing(findings, titles);
  const conflicts = findConflicts(findings, titles, { question });
  const agreeing = new Map(groups.map(({ finding, findingIds }) => [finding.id, findingIds]));
  const leading = compared.filter(({ sentence }) => agreeing.has(`${sentence}`));
  const chosen = withOpposed(chooseSentences(leading, collection, limits), leading, conflicts, sentences);
  const claims = chosen.slice(0, limits.most).flatMap(({ candidate, isAgainst }): AnswerClaim[] => {
    const places = (agreeing.get(`${candidate.sentence}`) ?? []).map(Number);
    const own = sentences[candidate.sentence];
    const quote = own === undefined ? null : quoteOf(sentences, candidate.sentence, passages);
    if (own === undefined || quote === null) return [];
    const others = places.flatMap((place) => sentences[place] ?? []).filter((other) => other !== own);
    return [
      {
        isAgainst,
        evidence: [
          { sourceId: own.source.sourceId, quote: quote.text, start: quote.start, end: quote.end },
          ...others.map(evidenceOf),
        ],
        passageIds: [...new Set([own, ...others].map(({ source }) => source.id))],
      },
    ];
  });
  return withoutOverlaps(claims);
}

/** Puts the best contradicting sentence of another document behind each chosen one, also if it was not chosen itself. */
function withOpposed(
  chosen: readonly RankedSentence[],
  ranked: readonly RankedSentence[],
  conflicts: readonly Conflict[],
  sentences: readonly PassageSentence[],
): { candidate: RankedSentence; isAgainst: boolean }[] {
  const sourceOf = ({ sentence }: RankedSentence): string => sentences[sentence]?.source.sourceId ?? '';
  const told = new Map<RankedSentence, boolean>();
  for (const candidate of chosen) {
    if (told.has(candidate)) continue;
    told.set(candidate, false);
    const disputed = conflicts.filter(({ findingIds }) => findingIds.includes(`${candidate.sentence}`));
    const against = ranked.find(
      (other) =>
        !told.has(other) &&
        sourceOf(other) !== sourceOf(candidate) &&
        disputed.some(({ findingIds }) => findingIds.includes(`${other.sentence}`)),
    );
    if (against !== undefined) told.set(against, true);
  }
  return [...told].map(([candidate, isAgainst]) => ({ candidate, isAgainst }));
}

/** A quote may take along the sentence before it, which was chosen for itself: the longer one stands in the better one's place. */
function withoutOverlaps(claims: readonly AnswerClaim[]): AnswerClaim[] {
  const kept: AnswerClaim[] = [];
  for (const claim of claims) {
    const at = kept.findIndex((other) => holds(other, claim) || holds(claim, other));
    const other = kept[at];
    if (other === undefined) kept.push(claim);
    else if (!holds(other, claim)) kept[at] = claim;
  }
  return kept;
}

function holds({ evidence: [one] }: AnswerClaim, { evidence: [other] }: AnswerClaim): boolean {
  if (one === undefined || other === undefined || one.sourceId !== other.sourceId) return false;
  return (one.start <= other.start && one.end >= other.end) || tellsFiguresOf(one.quote, other.quote);
}

/** A document tells its figures in its abstract and among its results: whoever tells all of them says as much. */
function tellsFiguresOf(one: string, other: string): boolean {
  const [told, wanted] = [figuresIn(one), figuresIn(other)];
  return wanted.size >= LEAST_FIGURES && [...wanted].every((figure) => told.has(figure));
}

function figuresIn(quote: string): Set<string> {
  return new Set(numbersIn(quote).map(({ value, unit }) => `${value} ${unit}`));
}

function findingFrom(sentences: readonly PassageSentence[]): (ranked: RankedSentence) => Finding[] {
  return ({ sentence }) => {
    const own = sentences[sentence];
    if (own === undefined) return [];
    const { sourceId } = own.source;
    return [
      {
        id: `${sentence}`,
        sectionId: '',
        claim: own.text,
        confidence: EVEN,
        citations: [sourceId],
        evidence: [evidenceOf(own)],
      },
    ];
  };
}

function evidenceOf({ source, start, end, text }: PassageSentence): Evidence {
  return { sourceId: source.sourceId, quote: text, start, end };
}

function titlesOf(sentences: readonly PassageSentence[]): SourcesById {
  return new Map(
    sentences.map(({ source: { sourceId, title, publishedAt } }) => [
      sourceId,
      { title, quality: { level: 'general', reason: '' }, publishedAt },
    ]),
  );
}
