import { reportTexts } from '../../texts/report';
import type { Report, ReportClaim } from '../../contracts/report/report';
import { SUMMARY } from '../../core/report/summary-part';
import type { DocumentClaim, DocumentPart, DocumentTree } from '../document';
import { chapterOf, itemsOf, leadingNotices } from '../markdown/chapters';
import { textAround } from '../text-around';
import { citedSource } from './cited-source';
import { sincePart, toldConflicts } from './told-alike';

/** A report as a tree. What has no field of its own in a report is read from its Markdown: notices, summary, why something is open. */
export function reportDocument(report: Report, textOf: (sourceId: string) => string | null): DocumentTree {
  const { markdown, provenance, citations, gaps } = report;
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  // Told with what was looked for, where the Markdown tells as many.
  const toldGaps = itemsOf(chapterOf(markdown, reportTexts.headings.gaps, 'last'));
  return {
    kind: 'report',
    id: report.id,
    title: report.title,
    question: report.question,
    notices: leadingNotices(markdown),
    parts: partsOf(report),
    claims: [...summaryClaimsOf(report), ...report.claims.map((claim) => ({ claim }))].map(
      ({ claim, ...restates }) => ({
        ...claimOf(claim, (n) => textOf(idOf.get(n) ?? '')),
        ...restates,
      }),
    ),
    setAside: report.setAside.map(({ id, text, reason, sectionId, citations: sources }) => ({
      id,
      text,
      reason,
      partId: sectionId,
      sources,
    })),
    conflicts: toldConflicts(report.conflicts),
    gaps: toldGaps.length === gaps.length ? toldGaps : gaps,
    followUps: report.followUpQuestions,
    sources: citations.map((source) => citedSource(source, source.timesCited, source.readInFull)),
    asOf: provenance.asOf,
    engine: provenance.engine,
    version: provenance.runtime.colligate,
  };
}

function partsOf({ markdown, since, sections }: Report): DocumentPart[] {
  const { headings } = reportTexts;
  const assessment = chapterOf(markdown, headings.confidence, 'last');
  return [
    { id: SUMMARY, title: headings.summary, markdown: chapterOf(markdown, headings.summary, 'first') },
    ...sincePart(since),
    ...sections.map(({ id, title, markdown: text }) => ({ id, title, markdown: text })),
    ...(assessment === '' ? [] : [{ id: 'confidence', title: headings.confidence, markdown: assessment }]),
  ];
}

function summaryClaimsOf({ markdown, summaryClaims = [] }: Report): { claim: ReportClaim; restates: true }[] {
  const from = markdown.indexOf(chapterOf(markdown, reportTexts.headings.summary, 'first'));
  return summaryClaims.map((claim) => ({
    claim: { ...claim, start: claim.start - from, end: claim.end - from },
    restates: true,
  }));
}

function claimOf(claim: ReportClaim, textOfNumber: (n: number) => string | null): DocumentClaim {
  const { id, sectionId, start, end, text, verdict, reason, confidence, validated, citations } = claim;
  return {
    id,
    partId: sectionId,
    start,
    end,
    text,
    verdict,
    reason,
    confidence: verdict === 'inference' ? null : confidence,
    ...(validated ? {} : { notCrossChecked: true as const }),
    sources: citations,
    evidence: claim.evidence.map(({ n, quote, start: from, end: to, page, place }) => ({
      source: n,
      quote,
      start: from,
      end: to,
      page: page ?? null,
      ...(place === undefined ? {} : { place }),
      ...textAround(textOfNumber(n), { quote, start: from, end: to }),
    })),
  };
}
