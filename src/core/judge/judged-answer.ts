import type { Answer } from '../../contracts/answer/answer';
import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import type { JudgedDocument, JudgedStatement } from '../../contracts/judge/judged-document';
import { ANSWER_TEXT } from '../settled-text/answer-text';

export function judgedAnswer(answer: Answer, passages: readonly AnswerPassage[]): JudgedDocument {
  const { question, citations } = answer;
  const numbers = new Map(citations.map(({ sourceId, n }) => [sourceId, n]));
  const sourceOf = new Map(citations.map(({ sourceId, n }) => [n, sourceId]));
  const documents = new Map(passages.map((passage) => [passage.sourceId, passage]));
  return {
    question,
    title: question,
    parts: [{ id: ANSWER_TEXT, title: question, role: 'body', markdown: answer.answer }],
    claims: [
      ...answer.claims.map((claim) => ({
        partId: ANSWER_TEXT,
        text: claim.text,
        written: claim.text,
        sourceIds: [...new Set(claim.citations.flatMap((n) => sourceOf.get(n) ?? []))],
        verdict: claim.verdict,
        stands: true,
      })),
      ...answer.setAside.map(({ text, sourceIds, verdict }) => ({
        partId: ANSWER_TEXT,
        text,
        sourceIds,
        verdict,
        stands: false,
      })),
    ],
    topics: [
      {
        id: ANSWER_TEXT,
        title: question,
        statements: quotesOf(answer),
      },
    ],
    conflicts: [],
    sources: [...documents].map(([sourceId, { title }]) => ({
      sourceId,
      n: numbers.get(sourceId) ?? null,
      title,
      site: null,
    })),
    targetWords: null,
  };
}

/** What the claims of an answer rest on, each quote once: whole passages would be as long as the sources. */
function quotesOf({ claims }: Pick<Answer, 'claims'>): JudgedStatement[] {
  const quotes = claims.flatMap(({ evidence }) =>
    evidence.map(({ quote, sourceId }) => ({ text: quote, sourceIds: [sourceId] })),
  );
  return [...new Map(quotes.map((one) => [`${one.sourceIds.join()}\n${one.text}`, one])).values()];
}
