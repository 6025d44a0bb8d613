import { answerTexts } from '../../texts/answer';
import type { Answer, AnswerCitation, AnswerClaim } from '../../contracts/answer/answer';
import { confidenceLine } from '../../answers/confidence-meaning';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import type { DocumentClaim, DocumentEvidence, DocumentTree } from '../document';
import { textAround } from '../text-around';
import { citedSource } from './cited-source';
import { sincePart } from './told-alike';

type TextOf = (sourceId: string) => string | null;

/** An answer as a tree: what it cites are passages, so that its sources are these by their numbers. */
export function answerDocument(answer: Answer, textOf: TextOf): DocumentTree {
  const { outcome, diagnostics, citations, provenance } = answer;
  const failure = diagnostics.failure ?? answerTexts.noReason;
  const cited = answer.claims.flatMap((claim) => claim.citations);
  const numbersOf = (sourceIds: readonly string[]): number[] =>
    citations.filter(({ sourceId }) => sourceIds.includes(sourceId)).map(({ n }) => n);
  return {
    kind: 'answer',
    id: answer.requestId,
    title: answer.question,
    question: answer.question,
    notices: [confidenceLine(answer), ...(outcome === 'fallback' ? [answerTexts.why(failure)] : [])],
    parts: [
      { id: ANSWER_TEXT, title: answerTexts.title, markdown: answer.answer },
      ...sincePart(answer.since),
    ],
    claims: answer.claims.map((claim) => claimOf(claim, citations, textOf)),
    setAside: answer.setAside.map(({ text, reason, sourceIds, evidence }, at) => ({
      id: `A${at + 1}`,
      text,
      reason,
      partId: ANSWER_TEXT,
      // A passage that the answer does not cite has no number.
      sources: numbersOf([...sourceIds, ...(evidence === null ? [] : [evidence.sourceId])]),
    })),
    conflicts: [],
    gaps: [],
    followUps: [],
    sources: citations.map((passage) =>
      citedSource(passage, cited.filter((n) => n === passage.n).length, passage.summaryOnly !== true),
    ),
    asOf: null,
    engine: provenance.engine,
    version: provenance.runtime.colligate ?? '',
  };
}

function claimOf(claim: AnswerClaim, citations: readonly AnswerCitation[], textOf: TextOf): DocumentClaim {
  const { id, start, end, text, verdict, reason, citations: sources } = claim;
  const passages = citations.filter(({ n }) => sources.includes(n));
  const told = claim.evidence.map(
    ({ n, quote, start: from, end: to, page, place: where }): DocumentEvidence => {
      const passage = passages.find((one) => one.n === n);
      const place = { quote, start: from, end: to };
      const named = where === undefined ? {} : { place: where };
      return { source: n, ...place, page: page ?? null, ...named, ...around(place, passage, textOf) };
    },
  );
  // A passage that it cites and that nothing was quoted of is shown as a whole.
  const others = passages.filter(({ n }) => !told.some(({ source }) => source === n));
  return {
    id,
    partId: ANSWER_TEXT,
    start,
    end,
    text,
    verdict,
    reason,
    confidence: null,
    sources,
    evidence: [
      ...told,
      ...others.map((passage): DocumentEvidence => {
        const place = { quote: passage.text, start: passage.start, end: passage.end };
        const { from = null, name } = passage.pages ?? {};
        const named = name === undefined ? { page: from } : { page: null, place: name };
        return { source: passage.n, ...place, ...named, ...around(place, passage, textOf) };
      }),
    ],
  };
}

/** Of the source's text; where that is not known, of the passage. */
function around(
  place: { quote: string; start: number; end: number },
  passage: AnswerCitation | undefined,
  textOf: TextOf,
): { before: string; after: string } {
  const text = passage === undefined ? null : textOf(passage.sourceId);
  if (text !== null || passage === undefined) return textAround(text, place);
  const { quote, start, end } = place;
  return textAround(passage.text, { quote, start: start - passage.start, end: end - passage.start });
}
