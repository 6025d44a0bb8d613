import { LIMITS_PART, type ReportSummary, type SectionDraft } from '../contracts/draft';
import type { Finding, Gap, SetAsideClaim } from '../contracts/finding';
import type { Report } from '../contracts/report';
import type { CataloguedSource } from '../contracts/source';
import { writingTexts } from '../contracts/wording';
import { conflictReason } from '../evidence/corroboration';
import { countVerdicts } from '../evidence/decide-statement';
import { citationMark, citedIds } from '../lib/citation-marks';
import { withinSentence } from '../lib/strings';
import { toSafeLine } from '../lib/untrusted-text';
import { type Attributable, attributionOf } from './attribution';
import {
  assessedFindings,
  type ClaimWithFindings,
  conflictParagraph,
  isConflictInPart,
  isConflictInSection,
  majorClaims,
  majorFindings,
  type ReportParts,
  runNotes,
  unansweredTexts,
} from './chapters';
import {
  labelCitations,
  numberCitations,
  numberRejectedClaims,
  numbersOf,
  rejectedClaimSources,
  renderCitations,
  reportCitations,
  visibleStrings,
} from './citations';
import { claimSentence, evidenceQuotation } from './claim-sentence';
import {
  type ClaimMaterial,
  markedSummary,
  renderClaims,
  type RenderedClaim,
  summarizeCheck,
  withUncheckedMarks,
} from './claims';
import { countRelevantSources, relevantSourceIds } from './ranked-outline';
import { citationReport } from './citation-report';
import { reportMarkdown, summaryChapter } from './report-markdown';
import { reportTexts, SUMMARY_ID } from './report-texts';

/** Further gaps appear in `report.json` only. */
const MAX_GAPS = 6;

/** Pure: equal parts give equal bytes. Citations are numbered in order of first use. `summary` has no field in the report. */
export function assembleReport(parts: ReportParts): {
  report: Report;
  markdown: string;
  summary: string;
  disagreements: string;
} {
  const { synthesis, sourcesGiven } = parts;
  const sources = new Map((parts.catalogue?.sources ?? []).map((source) => [source.id, source]));
  const findings = new Map(
    parts.findings.flatMap((section) => section.findings).map((finding) => [finding.id, finding]),
  );
  const unanswered = unansweredTexts(parts);
  const planned = unanswered === null ? outlinedSections(parts, sources) : [];
  const gaps = unanswered === null ? addUnwrittenSections(parts.gaps, planned) : [unanswered.gap];
  const ownGaps = parts.text?.gaps ?? [];
  const overallTheme =
    unanswered?.theme ?? parts.outline?.overallTheme ?? 'The run ended before the sources were surveyed.';
  const opening = unanswered?.summary ?? toSafeLine(overallTheme);
  const bullets = parts.frame?.bullets ?? [];
  const drafted = planned.map(({ draft }) => draft?.markdown ?? '').join('\n');
  const conflicts = parts.conflicts.map((conflict) =>
    conflictParagraph(conflict, sources, (quoted) => drafted.includes(quoted)),
  );
  const tells = parts.text === undefined ? isConflictInSection : isConflictInPart;
  const isTold = parts.conflicts.map((conflict) =>
    planned.some(({ draft }) => draft !== null && tells(draft, conflict, findings)),
  );
  const gapLines = (ownGaps.length > 0 ? [] : gaps).slice(0, MAX_GAPS).map((gap) => gapLine(gap, sources));
  const written = [
    ...planned.flatMap(({ draft }) => draft?.markdown ?? []),
    ...bullets,
    ...conflicts.filter((_paragraph, at) => !isTold[at]),
    ...gapLines,
    ...(unanswered === null ? [] : [opening]),
  ];
  const setAside = numberRejectedClaims([
    { sectionId: SUMMARY_ID, setAside: parts.frame?.checked?.setAside ?? [] },
    ...planned.map(({ id, setAside: ofSection }) => ({ sectionId: id, setAside: ofSection })),
  ]);
  const namedAside = synthesis.unsupportedClaims === 'mark' ? rejectedClaimSources(setAside) : [];
  const numbers = numberCitations(
    [...written, ...namedAside.map((id) => citationMark([id])), ...conflicts],
    sources,
  );
  const labels = labelCitations(numbers, sources, synthesis.citationStyle);
  const listed = reportCitations(written, numbers, sources, new Set(parts.readInFull));
  // A source that only rejected claims cite supports nothing in the report.
  const citations = listed.filter(({ timesCited }) => timesCited > 0);

  const material = { findings, conflicts: parts.conflicts, sources, numbers, labels };
  const { sections, claims } = renderSections(planned, material);
  const assessed = assessedFindings(claims, findings, citations, numbers);
  const major = majorFindings(assessed, synthesis.confidenceThreshold);
  const citationsOf = new Map(sections.map((section) => [section.id, section.citations]));
  // Citation minimums count the sources of the outline; without an outline, all sources.
  const rootOf = (id: string): string => sources.get(id)?.work?.id ?? id;
  const furtherParts = parts.catalogue?.furtherParts ?? 0;
  const bearing = [...relevantSourceIds(parts.outline)];
  const relevantSources =
    parts.outline === null
      ? countSources(parts) - furtherParts
      : countRelevantSources(parts.outline) - bearing.length + new Set(bearing.map(rootOf)).size;
  const cited = {
    citations,
    sections: planned
      .filter(({ id }) => id !== LIMITS_PART)
      .map(({ id, title, sourceIds }) => ({
        id,
        title,
        sourceIds,
        citations: citationsOf.get(id) ?? [],
      })),
    majorClaims: majorClaims(claims, major),
    sourcesGiven: sourcesGiven - furtherParts,
    relevantSources,
    rootOf,
  };
  const body: Omit<Report, 'markdown'> = {
    id: parts.id,
    kind: 'report',
    question: parts.question,
    status: parts.status,
    citationStyle: parts.synthesis.citationStyle,
    ...(parts.since === undefined ? {} : { since: parts.since }),
    title: parts.frame?.title ?? parts.question,
    overallTheme,
    sections,
    citations: listed,
    claims: claims.map(({ claim }) => claim),
    setAside: setAside.map((claim) => ({
      ...claim,
      citations: numbersOf(claim.sourceIds, numbers),
    })),
    conflicts: parts.conflicts.map((conflict) => ({
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
    })),
    gaps: ownGaps.length > 0 ? ownGaps : gaps.map((gap) => gap.question),
    followUpQuestions: parts.frame?.followUpQuestions ?? [],
    findings: assessed.map((one) => ({
      claim: one.finding.claim,
      sectionId: one.finding.sectionId,
      confidence: one.finding.confidence,
      validated: one.finding.unvalidated !== true,
      isMajor: major.reached && major.major.includes(one),
      citations: one.citations.map(({ n }) => n),
    })),
    citationReport: citationReport(cited, synthesis),
    audit: countVerdicts([...claims.map(({ claim }) => claim), ...setAside]),
    judge: parts.judge,
    sources: {
      ...sourceCounts(parts),
      ...(cited.sourcesGiven === sourcesGiven ? {} : { works: cited.sourcesGiven }),
    },
    ...(parts.search ? { search: parts.search } : {}),
    warnings: parts.warnings,
    ...(parts.estimate === undefined ? {} : { estimate: parts.estimate }),
    usage: parts.usage,
    timings: parts.timings,
    provenance: parts.provenance,
  };
  const summary = renderClaims(summaryDraft(parts.frame), material);
  const isQuoted = parts.frame?.checked === undefined;
  const plainBlocks = summary.markdown.split('\n\n').filter((block) => block !== '');
  const plain = {
    opening: plainBlocks.length > 0 ? '' : renderCitations(opening, labels),
    blocks: isQuoted ? plainBlocks.map((block) => `- ${block}`) : plainBlocks,
  };
  const check = summarizeCheck({
    ...body,
    // Claims of a quoted summary are counted in the sections.
    summaryClaims: isQuoted ? [] : summary.claims.map(({ claim }) => claim),
  });
  const notes = runNotes(parts, { cited, check, unanswered });
  const untold = conflicts
    .filter((_paragraph, at) => !isTold[at])
    .map((paragraph) => renderCitations(paragraph, labels));
  // Without a critic, unchecked claims are marked in the text. With one, the last line counts the open claims.
  const isMarked = check.by === 'words' || check.by === 'quoting';
  const told = sections.map(({ id, title, markdown: text }) => ({
    id,
    title,
    markdown: isMarked
      ? withUncheckedMarks(
          text,
          body.claims.filter(({ sectionId }) => sectionId === id),
        )
      : text,
  }));
  const markdown = reportMarkdown(body, {
    opening: plain.opening,
    ...markedSummary(summary, { isQuoted, marksOpen: isMarked }),
    incomplete: notes.incomplete,
    sections: told.filter(({ id }) => id !== LIMITS_PART),
    conflictParagraphs: untold,
    limits: [notes.limits, told.find(({ id }) => id === LIMITS_PART)?.markdown ?? '']
      .filter((text) => text !== '')
      .join('\n\n'),
    followUps: parts.text === undefined ? body.followUpQuestions : [],
    gapLines: gapLines.map((line) => renderCitations(line, labels)),
    check: reportTexts.check(check),
  });
  return {
    report: visibleStrings({
      ...body,
      markdown,
      notices: notes.all,
      ...summaryClaims(markdown, parts.frame, summary.claims),
    }),
    markdown,
    summary: summaryChapter(plain),
    disagreements: untold.join('\n\n'),
  };
}

function renderSections(
  planned: readonly OutlinedSection[],
  material: ClaimMaterial,
): { sections: Report['sections']; claims: ClaimWithFindings[] } {
  const claims: ClaimWithFindings[] = [];
  const sections = planned.flatMap(({ id, title, draft }) => {
    if (draft === null) return [];
    const rendered = renderClaims(draft, material);
    for (const { claim, findingIds } of rendered.claims)
      claims.push({ claim: { id: `claim-${claims.length + 1}`, sectionId: id, ...claim }, findingIds });
    const citations = numbersOf(citedIds(draft.markdown), material.numbers);
    return [{ id, title, markdown: rendered.markdown, citations }];
  });
  return { sections, claims };
}

/** `**What is open?** Why.`, or `**Doe (2005) leaves open:** “X” [@a].` if a source reports the gap itself. */
function gapLine({ question, reason, evidence }: Gap, sources: ReadonlyMap<string, Attributable>): string {
  if (evidence === undefined) {
    const [what, why] = [question, reason].map((text) => toSafeLine(text));
    return `**${what}** ${why}`;
  }
  const { sourceId, quote } = evidence;
  const { subject, plural } = attributionOf(sources.get(sourceId) ?? { title: sourceId });
  return `**${writingTexts.leavesOpen(toSafeLine(subject), plural)}** ${evidenceQuotation(quote)} ${citationMark([sourceId])}.`;
}

function countSources({ catalogue }: ReportParts): number {
  return catalogue?.count ?? catalogue?.sources.length ?? 0;
}

/** Counts every given source once: read in full, known by its summary, unused, or duplicate. */
function sourceCounts(parts: ReportParts): Report['sources'] {
  const inFull = new Set(parts.readInFull);
  const bearing = relevantSourceIds(parts.outline);
  const bearingInFull = [...inFull].filter((id) => bearing.has(id)).length;
  const duplicates = parts.catalogue?.merged.length ?? 0;
  const others = countSources(parts) - inFull.size;
  const bySummary =
    parts.outline === null
      ? 0
      : Math.max(0, Math.min(countRelevantSources(parts.outline) - bearingInFull, others));
  return {
    total: parts.sourcesGiven,
    inFull: inFull.size,
    bySummary,
    unused: parts.sourcesGiven - inFull.size - bySummary - duplicates,
    duplicates,
    retrievals: parts.retrievals,
  };
}

function summaryDraft(frame: ReportSummary | null): SectionDraft {
  return { markdown: frame?.bullets.join('\n\n') ?? '', claims: frame?.claims ?? [] };
}

/** Claims of a model's summary, located in the whole report. Absent for a quoted summary, whose claims are in the sections. */
function summaryClaims(
  markdown: string,
  frame: ReportSummary | null,
  written: readonly RenderedClaim[],
): Pick<Report, 'summaryClaims'> {
  if (frame?.checked === undefined) return {};
  let from = Math.max(0, markdown.indexOf(`\n## ${reportTexts.headings.summary}\n`));
  const claims = written.flatMap(({ claim }, at) => {
    const words = claim.text.replace(/[.!?]$/, '');
    const start = markdown.indexOf(words, from);
    if (start < 0 || claim.citations.length === 0) return [];
    from = start + (markdown.startsWith(claim.text, start) ? claim.text : words).length;
    const text = markdown.slice(start, from);
    return [{ ...claim, id: `summary-${at + 1}`, sectionId: SUMMARY_ID, text, start, end: from }];
  });
  return { summaryClaims: claims };
}

interface OutlinedSection {
  id: string;
  title: string;
  /** Null for a section without findings: it becomes a gap, not a chapter. */
  draft: SectionDraft | null;
  setAside: readonly SetAsideClaim[];
  sourceIds: string[];
}

/** A section that was not written, or has rejected claims only, becomes the list of its findings. */
function outlinedSections(
  parts: ReportParts,
  sources: ReadonlyMap<string, CataloguedSource>,
): OutlinedSection[] {
  return (parts.outline?.sections ?? []).map(({ id, title, relevantSources }) => {
    const written = parts.drafts.find((draft) => draft.sectionId === id)?.draft;
    const found = parts.findings.find((entry) => entry.sectionId === id)?.findings ?? [];
    const setAside = written?.checked?.setAside ?? [];
    // A text without citations, such as a conclusion, is a chapter too.
    const statesNothing = written?.claims.length === 0;
    const isListed = written === undefined || (statesNothing && setAside.length > 0 && found.length > 0);
    const isEmpty = statesNothing && written.markdown.trim() === '';
    const list = findingsAsList(found, sources);
    return {
      id,
      title,
      draft: isListed ? list : isEmpty && parts.text === undefined ? null : written,
      setAside,
      sourceIds: relevantSources.map(({ sourceId }) => sourceId),
    };
  });
}

function addUnwrittenSections(gaps: readonly Gap[], planned: readonly OutlinedSection[]): Gap[] {
  const told = new Set(gaps.map(({ sectionId }) => sectionId));
  const untold = planned.filter(({ id, draft }) => draft === null && !told.has(id));
  return [
    ...gaps,
    ...untold.map(({ id, title }) => ({
      question: `What do sources say on ${withinSentence(title)}?`,
      reason: 'The report was to have a section on this; nothing was found for it that could be quoted.',
      sectionId: id,
    })),
  ];
}

function findingsAsList(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, Attributable>,
): SectionDraft | null {
  if (findings.length === 0) return null;
  const claims = findings.map((finding) => ({
    text: claimSentence(finding, sources),
    findingIds: [finding.id],
  }));
  return { markdown: claims.map((claim) => `- ${claim.text}`).join('\n'), claims };
}
