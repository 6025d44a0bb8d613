import type { Answer, AnswerPassage } from '../contracts/answer';
import { ANSWER_SECTION } from '../contracts/draft';
import type { JudgedClaim, JudgedDocument, JudgedStatement } from '../contracts/judgement';
import type { Report } from '../contracts/report';
import type { ReportParts } from './chapters';
import { reportLabels } from './citations';
import { withoutOwnRemarks } from './claims';
import { relevantSourceIds } from './ranked-outline';
import { SUMMARY_ID } from './report-texts';

const DISAGREEMENTS = 'disagreements';

/** Judge input for a report: its summary, sections and conflicts, with the findings that it has to state. */
export function judgedReport(
  { outline: told, text, findings, conflicts, catalogue }: ReportParts,
  { report, summary, disagreements }: { report: Report; summary: string; disagreements: string },
): JudgedDocument {
  const outline = text?.planned ?? told;
  const found = new Map(findings.map((section) => [section.sectionId, section.findings]));
  const numbers = new Map(report.citations.map(({ sourceId, n }) => [sourceId, n]));
  const bearing = relevantSourceIds(outline);
  return {
    question: report.question,
    title: report.title,
    parts: [
      { id: SUMMARY_ID, title: 'Executive Summary', role: 'summary', markdown: summary },
      ...report.sections.map(({ id, title, markdown }) => ({ id, title, role: 'body' as const, markdown })),
      ...(disagreements === ''
        ? []
        : [
            {
              id: DISAGREEMENTS,
              title: 'Conflicting Evidence',
              role: 'body' as const,
              markdown: disagreements,
            },
          ]),
    ],
    claims: claimsOf(report),
    topics: (outline?.sections ?? []).flatMap(({ id, title }) => {
      const statements = (found.get(id) ?? []).map(({ claim, citations }) =>
        judgedStatement(claim, citations),
      );
      // A whole text has its own sections: `section-1` of the plan is another one.
      const topicId = text === undefined ? id : `topic-${id}`;
      return statements.length === 0 ? [] : [{ id: topicId, title, statements }];
    }),
    conflicts: conflicts.map(({ topic, viewpoints }) => ({
      topic,
      viewpoints: viewpoints.map((viewpoint) => judgedStatement(viewpoint.statement, viewpoint.citations)),
    })),
    sources: (catalogue?.sources ?? [])
      .filter(({ id }) => bearing.has(id) || numbers.has(id))
      .map(({ id, title, site, publishedAt }) => ({
        ...(publishedAt === undefined ? {} : { publishedAt }),
        sourceId: id,
        n: numbers.get(id) ?? null,
        title,
        site: site ?? null,
      })),
    targetWords: null, // a report has no target length
  };
}

function judgedStatement(text: string, sourceIds: readonly string[]): JudgedStatement {
  return { text, sourceIds: [...sourceIds] };
}

function claimsOf(report: Report): JudgedClaim[] {
  const sourceOf = new Map(report.citations.map(({ sourceId, n }) => [n, sourceId]));
  const marks = [...reportLabels(report).values()].map((label) => `[${label}]`);
  const plain = (text: string): string => {
    const bare = marks.reduce((left, mark) => left.replaceAll(mark, ''), withoutOwnRemarks(text));
    return bare.replace(/\s+(?=[.,;:!?]|$)/g, '').trim() || text;
  };
  return [
    ...report.claims.map(({ sectionId, text, citations, verdict }) => ({
      partId: sectionId,
      text: plain(text),
      written: text,
      sourceIds: citations.flatMap((n) => sourceOf.get(n) ?? []),
      verdict,
      stands: true,
    })),
    ...report.setAside.map(({ sectionId, text, sourceIds, verdict }) => ({
      partId: sectionId,
      text,
      sourceIds,
      verdict,
      stands: false,
    })),
  ];
}

export function judgedAnswer(answer: Answer, passages: readonly AnswerPassage[]): JudgedDocument {
  const { question, citations } = answer;
  const numbers = new Map(citations.map(({ sourceId, n }) => [sourceId, n]));
  const sourceOf = new Map(citations.map(({ sourceId, n }) => [n, sourceId]));
  const documents = new Map(passages.map((passage) => [passage.sourceId, passage]));
  return {
    question,
    title: question,
    parts: [{ id: ANSWER_SECTION, title: question, role: 'body', markdown: answer.answer }],
    claims: [
      ...answer.claims.map((claim) => ({
        partId: ANSWER_SECTION,
        text: claim.text,
        written: claim.text,
        sourceIds: [...new Set(claim.citations.flatMap((n) => sourceOf.get(n) ?? []))],
        verdict: claim.verdict,
        stands: true,
      })),
      ...answer.setAside.map(({ text, sourceIds, verdict }) => ({
        partId: ANSWER_SECTION,
        text,
        sourceIds,
        verdict,
        stands: false,
      })),
    ],
    topics: [
      {
        id: ANSWER_SECTION,
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

/** Each quote of the claims once: whole passages would be as long as the sources. */
function quotesOf({ claims }: Pick<Answer, 'claims'>): JudgedStatement[] {
  const quotes = claims.flatMap(({ evidence }) =>
    evidence.map(({ quote, sourceId }) => ({ text: quote, sourceIds: [sourceId] })),
  );
  return [...new Map(quotes.map((one) => [`${one.sourceIds.join()}\n${one.text}`, one])).values()];
}
