import type { Answer } from '../../contracts/answer/answer';
import type { Report } from '../../contracts/report/report';
import { groupedBy } from '../../core/values/grouped-by';
import { reportOf } from './report-of';

const ANSWER = 'answer';

/** Answers rate no source. */
const QUALITY = { level: 'general', reason: '' } as const;

/** An answer as two of them are compared; `asOf` is of when it is. What it cites are documents here, and no passages of them. */
export function answerAsReport(
  answer: Answer,
  { status, asOf }: Pick<Report, 'status'> & { asOf: string },
): Report {
  const documents = [...groupedBy(answer.citations, ({ sourceId }) => sourceId)].map(
    ([sourceId, passages], at) => ({
      sourceId,
      passages,
      n: at + 1,
    }),
  );
  const numbers = new Map(documents.flatMap(({ passages, n }) => passages.map((passage) => [passage.n, n])));
  const documentsOf = (cited: readonly number[]): number[] => [
    ...new Set(cited.flatMap((n) => numbers.get(n) ?? [])),
  ];
  return reportOf({
    id: answer.requestId,
    question: answer.question,
    title: answer.question,
    status,
    asOf,
    markdown: answer.answer,
    conflicts: [],
    engine: answer.provenance.engine,
    sections: [
      { id: ANSWER, title: 'the answer', markdown: answer.answer, citations: documents.map(({ n }) => n) },
    ],
    citations: documents.flatMap(({ sourceId, passages: [first], n }) =>
      first === undefined
        ? []
        : [{ ...first, n, sourceId, accessedAt: '', quality: QUALITY, timesCited: 1, readInFull: false }],
    ),
    claims: answer.claims.flatMap(({ citations, evidence, ...claim }) => {
      const cited = documentsOf(citations);
      if (cited.length === 0) return [];
      const places = evidence.flatMap(({ n, quote, start, end }) =>
        documentsOf([n]).map((document) => ({ n: document, quote, start, end })),
      );
      // Numbers of passages are of no account: what is said is.
      const text = claim.text.replace(/\s*\[\d[^\]]*\]/g, '');
      return [{ ...claim, text, sectionId: ANSWER, citations: cited, evidence: places }];
    }),
    setAside: [],
  });
}
