import { reportTexts } from '../../texts/report';
import type { Report, ReportClaim } from '../../contracts/report/report';
import { checkOf } from '../../core/report/check-told';
import { SUMMARY } from '../../core/report/summary-part';
import type { DocumentClaim, DocumentPart, DocumentTree } from '../document';
import { chapterOf, itemsOf, leadingNotices } from '../markdown/chapters';
import { textAround } from '../text-around';
import { citedSource } from './cited-source';
import { sincePart, toldConflicts } from './told-alike';

/** A report as a tree. What has no field of its own in a report is read from its Markdown. */
export function reportDocument(report: Report, textOf: (sourceId: string) => string | null): DocumentTree {
  const { markdown, provenance, citations, gaps, notices, findings } = report;
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const limits = chapterOf(markdown, reportTexts.headings.limits, 'last');
  const [gapsTold = ''] = limits.split(`### ${reportTexts.headings.followUps}`);
  return {
    kind: 'report',
    id: report.id,
    title: report.title,
    question: report.question,
    notices: notices ?? leadingNotices(markdown),
    check: checkOf(report),
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
    gaps: gaps.slice(itemsOf(gapsTold).length),
    followUps: limits === '' ? report.followUpQuestions : [],
    ...(findings === undefined
      ? {}
      : {
          findings: findings.map(({ claim, confidence, validated, citations: sources }) => ({
            claim,
            confidence,
            ...(validated ? {} : { notCrossChecked: true as const }),
            sources,
          })),
        }),
    sources: citations.map((source) => citedSource(source, source.timesCited, source.readInFull)),
    asOf: provenance.asOf,
    engine: provenance.engine,
    version: provenance.runtime.colligate,
  };
}

function partsOf({ markdown, since, sections }: Report): DocumentPart[] {
  const { headings } = reportTexts;
  const closing = (['conflicts', 'limits'] as const).flatMap((id): DocumentPart[] => {
    const text = chapterOf(markdown, headings[id], 'last');
    return text === '' ? [] : [{ id, title: headings[id], markdown: text }];
  });
  return [
    { id: SUMMARY, title: headings.summary, markdown: chapterOf(markdown, headings.summary, 'first') },
    ...sincePart(since),
    ...sections.map(({ id, title, markdown: text }) => ({ id, title, markdown: text })),
    ...closing,
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
