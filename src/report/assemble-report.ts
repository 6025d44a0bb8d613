import { LIMITS_PART, type ReportSummary, type SectionDraft } from '../contracts/draft';
import type { Conflict } from '../contracts/finding';
import type { Report, ReportCitation, ReportClaim } from '../contracts/report';
import { conflictReason } from '../evidence/corroboration';
import { countVerdicts } from '../evidence/decide-statement';
import { citationMark, citedIds } from '../lib/citation-marks';
import {
  assessedFindings,
  type ClaimWithFindings,
  type FindingWithCitations,
  majorClaims,
  type MajorFindings,
  majorFindings,
  type ReportParts,
  type RunNotes,
  runNotes,
} from './chapters';
import { citationReport, type CitationReportInput } from './citation-report';
import {
  type CitationLabels,
  type CitationNumbers,
  labelCitations,
  numberCitations,
  type NumberedRejectedClaim,
  numberRejectedClaims,
  numbersOf,
  rejectedClaimSources,
  renderCitations,
  reportCitations,
  visibleStrings,
} from './citations';
import {
  type ClaimRenderContext,
  markSummary,
  renderClaims,
  type RenderedClaim,
  summarizeCheck,
  withUncheckedMarks,
} from './claims';
import { countRelevantSources, relevantSourceIds } from './ranked-outline';
import { citingTexts, type ReportContent, reportContent } from './report-content';
import { type MarkdownParts, reportMarkdown, summaryChapter } from './report-markdown';
import { type Check, reportTexts, SUMMARY_ID } from './report-texts';
import { listSourcesRead } from './sources-read';

/** Pure: equal parts give equal bytes. Citations are numbered in order of first use. `summary` has no field in the report. */
export function assembleReport(parts: ReportParts): {
  report: Report;
  markdown: string;
  summary: string;
  disagreements: string;
} {
  const content = reportContent(parts);
  const references = numberReferences(parts, content);
  const { numbers, labels } = references;
  const { findings, sources, unanswered } = content;
  const material = { findings, conflicts: parts.conflicts, sources, numbers, labels };
  const rendered = renderSections(content.sections, material);
  const assessed = assessedFindings(rendered.claims, findings, references.citations, numbers);
  const major = majorFindings(assessed, parts.synthesis.confidenceThreshold);
  const citationInput = citationReportInput(parts, content, {
    citations: references.citations,
    renderedSections: rendered.sections,
    majorClaims: majorClaims(rendered.claims, major),
  });
  const body = reportBody(parts, content, {
    references,
    rendered,
    findings: reportFindings(assessed, major),
    citationInput,
  });
  const summary = renderSummary(parts.frame, content.opening, material);
  const check = summarizeCheck({
    ...body,
    // Claims of a quoted summary are counted in the sections.
    summaryClaims: summary.isQuoted ? [] : summary.claims.map(({ claim }) => claim),
  });
  const standaloneConflicts = content.standaloneConflicts.map((text) => renderCitations(text, labels));
  const notes = runNotes(parts, { cited: citationInput, check, unanswered });
  const markdown = reportMarkdown(
    body,
    markdownParts(body, {
      summary,
      check,
      notes,
      standaloneConflicts,
      gapLines: content.gapLines.map((line) => renderCitations(line, labels)),
      isWholeText: parts.text !== undefined,
    }),
  );
  return {
    report: visibleStrings({
      ...body,
      markdown,
      notices: notes.all,
      ...summaryClaims(markdown, parts.frame, summary.claims),
    }),
    markdown,
    summary: summaryChapter(summary.unmarked),
    disagreements: standaloneConflicts.join('\n\n'),
  };
}

interface References {
  numbers: CitationNumbers;
  labels: CitationLabels;
  /** All numbered sources. */
  listed: ReportCitation[];
  /** Without the sources that only rejected claims or repeated conflicts cite: they support nothing in the report. */
  citations: ReportCitation[];
  rejectedClaims: NumberedRejectedClaim[];
}

function numberReferences({ frame, readInFull, synthesis }: ReportParts, content: ReportContent): References {
  const { sources, sections, conflictParagraphs } = content;
  const rejectedClaims = numberRejectedClaims([
    { sectionId: SUMMARY_ID, setAside: frame?.checked?.setAside ?? [] },
    ...sections.map(({ id, setAside }) => ({ sectionId: id, setAside })),
  ]);
  const rejectedSources = synthesis.unsupportedClaims === 'mark' ? rejectedClaimSources(rejectedClaims) : [];
  const texts = citingTexts(content, frame?.bullets ?? []);
  const numbers = numberCitations(
    [...texts, ...rejectedSources.map((id) => citationMark([id])), ...conflictParagraphs],
    sources,
  );
  const listed = reportCitations(texts, numbers, sources, new Set(readInFull));
  return {
    numbers,
    labels: labelCitations(numbers, sources, synthesis.citationStyle),
    listed,
    citations: listed.filter(({ timesCited }) => timesCited > 0),
    rejectedClaims,
  };
}

interface RenderedSections {
  sections: Report['sections'];
  claims: ClaimWithFindings[];
}

function renderSections(outlined: ReportContent['sections'], material: ClaimRenderContext): RenderedSections {
  const claims: ClaimWithFindings[] = [];
  const sections = outlined.flatMap(({ id, title, draft }) => {
    if (draft === null) return [];
    const rendered = renderClaims(draft, material);
    for (const { claim, findingIds } of rendered.claims)
      claims.push({ claim: { id: `claim-${claims.length + 1}`, sectionId: id, ...claim }, findingIds });
    const citations = numbersOf(citedIds(draft.markdown), material.numbers);
    return [{ id, title, markdown: rendered.markdown, citations }];
  });
  return { sections, claims };
}

function citationReportInput(
  parts: ReportParts,
  { sources, sections }: ReportContent,
  {
    citations,
    renderedSections,
    majorClaims: major,
  }: {
    citations: ReportCitation[];
    renderedSections: Report['sections'];
    majorClaims: ReportClaim[];
  },
): CitationReportInput {
  const rootOf = (id: string): string => sources.get(id)?.work?.id ?? id;
  const citationsOf = new Map(renderedSections.map((section) => [section.id, section.citations]));
  return {
    citations,
    sections: sections
      .filter(({ id }) => id !== LIMITS_PART)
      .map(({ id, title, sourceIds }) => ({ id, title, sourceIds, citations: citationsOf.get(id) ?? [] })),
    majorClaims: major,
    sourcesGiven: parts.sourcesGiven - countFurtherParts(parts),
    relevantSources: countRelevantWorks(parts, rootOf),
    rootOf,
  };
}

/** Citation minimums count the sources of the outline; without an outline, all sources. */
function countRelevantWorks(parts: ReportParts, rootOf: (sourceId: string) => string): number {
  if (parts.outline === null) return countSources(parts) - countFurtherParts(parts);
  const relevantIds = [...relevantSourceIds(parts.outline)];
  return countRelevantSources(parts.outline) - relevantIds.length + new Set(relevantIds.map(rootOf)).size;
}

/** Parts of works beyond the first part of each. */
function countFurtherParts({ catalogue }: ReportParts): number {
  return catalogue?.furtherParts ?? 0;
}

/** All fields of `report.json` that do not depend on the Markdown. */
function reportBody(
  parts: ReportParts,
  content: ReportContent,
  {
    references: { numbers, listed, citations, rejectedClaims },
    rendered: { sections, claims },
    findings,
    citationInput,
  }: {
    references: References;
    rendered: RenderedSections;
    findings: Report['findings'];
    citationInput: CitationReportInput;
  },
): Omit<Report, 'markdown'> {
  const reportClaims = claims.map(({ claim }) => claim);
  return {
    id: parts.id,
    kind: 'report',
    question: parts.question,
    status: parts.status,
    citationStyle: parts.synthesis.citationStyle,
    ...(parts.since === undefined ? {} : { since: parts.since }),
    title: parts.frame?.title ?? parts.question,
    overallTheme: content.overallTheme,
    sections,
    citations: listed,
    claims: reportClaims,
    setAside: rejectedClaims.map((claim) => ({
      ...claim,
      citations: numbersOf(claim.sourceIds, numbers),
    })),
    conflicts: parts.conflicts.map((conflict) => reportConflict(conflict, numbers)),
    gaps: content.gapQuestions,
    followUpQuestions: parts.frame?.followUpQuestions ?? [],
    findings,
    citationReport: citationReport(citationInput, parts.synthesis),
    audit: countVerdicts([...reportClaims, ...rejectedClaims]),
    judge: parts.judge,
    sources: {
      ...sourceCounts(parts),
      ...(citationInput.sourcesGiven === parts.sourcesGiven ? {} : { works: citationInput.sourcesGiven }),
    },
    ...(parts.given === undefined
      ? {}
      : {
          sourcesRead: listSourcesRead({
            ...parts.given,
            cited: new Set(citations.map(({ sourceId }) => sourceId)),
          }),
        }),
    ...(parts.search ? { search: parts.search } : {}),
    warnings: parts.warnings,
    ...(parts.estimate === undefined ? {} : { estimate: parts.estimate }),
    usage: parts.usage,
    timings: parts.timings,
    provenance: parts.provenance,
  };
}

function reportConflict(conflict: Conflict, numbers: CitationNumbers): Report['conflicts'][number] {
  return {
    topic: conflict.topic,
    viewpoints: conflict.viewpoints.map((viewpoint) => ({
      statement: viewpoint.statement,
      citations: numbersOf(viewpoint.citations, numbers),
      places: viewpoint.evidence.flatMap(({ sourceId, start, end }) =>
        numbersOf([sourceId], numbers).map((n) => ({ n, start, end })),
      ),
    })),
    resolution: conflict.resolution,
    reason: conflictReason(conflict),
  };
}

function reportFindings(
  assessed: readonly FindingWithCitations[],
  { major, reached }: MajorFindings,
): Report['findings'] {
  return assessed.map((entry) => ({
    claim: entry.finding.claim,
    sectionId: entry.finding.sectionId,
    confidence: entry.finding.confidence,
    validated: entry.finding.unvalidated !== true,
    isMajor: reached && major.includes(entry),
    citations: entry.citations.map(({ n }) => n),
  }));
}

function countSources({ catalogue }: ReportParts): number {
  return catalogue?.count ?? catalogue?.sources.length ?? 0;
}

/** Counts every given source once: read in full, known by its summary, unused, or duplicate. */
function sourceCounts(parts: ReportParts): Report['sources'] {
  const inFull = new Set(parts.readInFull);
  const relevantIds = relevantSourceIds(parts.outline);
  const relevantInFull = [...inFull].filter((id) => relevantIds.has(id)).length;
  const duplicates = parts.catalogue?.merged.length ?? 0;
  const others = countSources(parts) - inFull.size;
  const bySummary =
    parts.outline === null
      ? 0
      : Math.max(0, Math.min(countRelevantSources(parts.outline) - relevantInFull, others));
  return {
    total: parts.sourcesGiven,
    inFull: inFull.size,
    bySummary,
    unused: parts.sourcesGiven - inFull.size - bySummary - duplicates,
    duplicates,
    retrievals: parts.retrievals,
  };
}

interface SummaryRendering {
  markdown: string;
  claims: RenderedClaim[];
  /** True if the summary quotes the sections, as without a model. */
  isQuoted: boolean;
  /** Opening and blocks without remarks on confidence. */
  unmarked: Pick<MarkdownParts, 'opening' | 'blocks'>;
}

function renderSummary(
  frame: ReportSummary | null,
  opening: string,
  material: ClaimRenderContext,
): SummaryRendering {
  const { markdown, claims } = renderClaims(summaryDraft(frame), material);
  const isQuoted = frame?.checked === undefined;
  const blocks = markdown.split('\n\n').filter((block) => block !== '');
  const unmarked = {
    opening: blocks.length > 0 ? '' : renderCitations(opening, material.labels),
    blocks: isQuoted ? blocks.map((block) => `- ${block}`) : blocks,
  };
  return { markdown, claims, isQuoted, unmarked };
}

function summaryDraft(frame: ReportSummary | null): SectionDraft {
  return { markdown: frame?.bullets.join('\n\n') ?? '', claims: frame?.claims ?? [] };
}

function markdownParts(
  { sections, claims, followUpQuestions }: Omit<Report, 'markdown'>,
  {
    summary,
    check,
    notes,
    standaloneConflicts,
    gapLines,
    isWholeText,
  }: {
    summary: SummaryRendering;
    check: Check;
    notes: RunNotes;
    standaloneConflicts: string[];
    gapLines: string[];
    isWholeText: boolean;
  },
): MarkdownParts {
  // Without a critic, unchecked claims are marked in the text. With one, the last line counts the open claims.
  const marksUnchecked = check.by === 'words' || check.by === 'quoting';
  const sectionsToPrint = marksUnchecked ? markUncheckedClaims(sections, claims) : sections;
  const limitsText = sectionsToPrint.find(({ id }) => id === LIMITS_PART)?.markdown ?? '';
  return {
    opening: summary.unmarked.opening,
    ...markSummary(summary, { isQuoted: summary.isQuoted, marksOpen: marksUnchecked }),
    incomplete: notes.incomplete,
    sections: sectionsToPrint.filter(({ id }) => id !== LIMITS_PART),
    conflictParagraphs: standaloneConflicts,
    limits: [notes.limits, limitsText].filter((text) => text !== '').join('\n\n'),
    followUps: isWholeText ? [] : followUpQuestions,
    gapLines,
    check: reportTexts.check(check),
  };
}

function markUncheckedClaims(
  sections: Report['sections'],
  claims: readonly ReportClaim[],
): Report['sections'] {
  return sections.map((section) => ({
    ...section,
    markdown: withUncheckedMarks(
      section.markdown,
      claims.filter(({ sectionId }) => sectionId === section.id),
    ),
  }));
}

/** Claims of a model's summary, located in the whole report. Absent for a quoted summary, whose claims are in the sections. */
function summaryClaims(
  markdown: string,
  frame: ReportSummary | null,
  rendered: readonly RenderedClaim[],
): Pick<Report, 'summaryClaims'> {
  if (frame?.checked === undefined) return {};
  let from = Math.max(0, markdown.indexOf(`\n## ${reportTexts.headings.summary}\n`));
  const claims = rendered.flatMap(({ claim }, at) => {
    const words = claim.text.replace(/[.!?]$/, '');
    const start = markdown.indexOf(words, from);
    if (start < 0 || claim.citations.length === 0) return [];
    from = start + (markdown.startsWith(claim.text, start) ? claim.text : words).length;
    const text = markdown.slice(start, from);
    return [{ ...claim, id: `summary-${at + 1}`, sectionId: SUMMARY_ID, text, start, end: from }];
  });
  return { summaryClaims: claims };
}
