import type { Evidence, Finding } from '../../../contracts/report/finding';
import type { SourcesById } from '../../../core/evidence/distinct-evidence';
import { chooseSentences, type ChoiceLimits } from '../../../reading/choose-sentences';
import type { RankedSentence } from '../../../reading/rank-sentences';
import { groupAgreeing } from '../../../reading/reconcile/group-agreeing';
import { quoteOf } from '../quote';
import type { AnswerMaterial, PassageSentence } from './answer-material';

/** What an answer may say: words of a passage, with all passages that say the same. */
export interface AnswerClaim {
  ranked: RankedSentence;
  /** The quote as it stands in the passages' documents; that of `passageIds[0]` first. */
  evidence: Evidence[];
  passageIds: string[];
}

/** So many of the best sentences are compared with each other. */
const COMPARED = 40;

/** The best sentences, best first, none twice: what several documents say is one claim that cites them all. */
export function chooseClaims(
  ranked: readonly RankedSentence[],
  { collection, sentences, passages }: AnswerMaterial,
  limits: ChoiceLimits,
): AnswerClaim[] {
  const compared = ranked.slice(0, COMPARED);
  const groups = groupAgreeing(compared.flatMap(findingFrom(sentences)), titlesOf(sentences));
  const agreeing = new Map(groups.map(({ finding, findingIds }) => [finding.id, findingIds]));
  const leading = compared.filter(({ sentence }) => agreeing.has(`${sentence}`));
  const chosen = chooseSentences(leading, collection, limits);
  const claims = chosen.flatMap((candidate): AnswerClaim[] => {
    const places = (agreeing.get(`${candidate.sentence}`) ?? []).map(Number);
    const own = sentences[candidate.sentence];
    const quote = own === undefined ? null : quoteOf(sentences, candidate.sentence, passages);
    if (own === undefined || quote === null) return [];
    const others = places.flatMap((place) => sentences[place] ?? []).filter((other) => other !== own);
    return [
      {
        ranked: candidate,
        evidence: [
          { sourceId: own.source.sourceId, quote: quote.text, start: quote.start, end: quote.end },
          ...others.map(evidenceOf),
        ],
        passageIds: [...new Set([own, ...others].map(({ source }) => source.id))],
      },
    ];
  });
  return claims.filter(
    (claim) => !claims.some((other) => other !== claim && holds(other.evidence[0], claim.evidence[0])),
  );
}

/** A quote may take along the sentence before it, which was chosen for itself. */
function holds(one: Evidence | undefined, other: Evidence | undefined): boolean {
  if (one === undefined || other === undefined || one.sourceId !== other.sourceId) return false;
  return one.start <= other.start && one.end >= other.end;
}

function findingFrom(sentences: readonly PassageSentence[]): (ranked: RankedSentence) => Finding[] {
  return ({ sentence }) => {
    const own = sentences[sentence];
    if (own === undefined) return [];
    const { sourceId } = own.source;
    return [
      {
        ...{ id: `${sentence}`, sectionId: '', claim: own.text, confidence: 0.5 },
        ...{ citations: [sourceId], evidence: [evidenceOf(own)] },
      },
    ];
  };
}

function evidenceOf({ source, start, end, text }: PassageSentence): Evidence {
  return { sourceId: source.sourceId, quote: text, start, end };
}

export function titlesOf(sentences: readonly PassageSentence[]): SourcesById {
  return new Map(
    sentences.map(({ source: { sourceId, title, publishedAt } }) => [
      sourceId,
      { title, quality: { level: 'general', reason: '' }, publishedAt },
    ]),
  );
}
