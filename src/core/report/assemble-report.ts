import { citationMark, citedIds } from '../text/citation-marks';
import { conflictReason } from '../evidence/conflict-reason';
import type { Report, ReportCitation } from '../../contracts/report/report';
import { judgeNotice } from '../judge/judge-notice';
import { countVerdicts } from '../settled-text/count-verdicts';
import { inert } from '../writing/quotation';
import { countBearing, bearingSources } from './bearing-sources';
import { labelCitations, numberCitations, numbersOf, renderCitations } from './citation-numbers';
import { citationReport, citationNotice } from './citation-report';
import { confidenceAssessment } from './confidence-assessment';
import { READ_BY_WORDS, traitsOf } from '../../contracts/run/engines';
import { claimsLine } from './claims-line';
import { conflictParagraph } from './conflict-paragraph';
import { type BackedClaim, findingsTold, majorClaims, majorFindings } from './major-findings';
import { type ClaimMaterial, renderClaims, type RenderedClaim } from './render-claims';
import { withoutOwnRemarks } from './own-remarks';
import { reportCitations } from './report-citations';
import { reportMarkdown, summaryChapter } from './report-markdown';
import type { ReportParts } from './report-parts';
import { asidesOf, numberAsides, sourcesNamedBy } from './set-aside';
import { SUMMARY, titleOfPart } from './summary-part';
import { sectionConfidence } from './told-confidence';
import type { Verdict } from '../../contracts/verification/claim-verdict';
import { unansweredTexts } from './unanswered';
import { visibleStrings } from './visible-strings';
import { writingTexts } from '../../texts/writing';
import type { Gap, Finding } from '../../contracts/report/finding';
import { type Attributable, attributionOf } from '../writing/attribution';
import { evidenceQuotation } from '../writing/lead-in';
import { reportTexts } from '../../texts/report';
import type { SearchAccount } from '../../contracts/run/search';
import type { ReportFrame, SectionDraft } from '../../contracts/report/draft';
import { frameText } from '../settled-text/frame-text';
import { draftOf } from '../settled-text/settle-text';
import type { SetAsideClaim } from '../../contracts/verification/critique';
import type { CataloguedSource } from '../../contracts/source/source';
import { withinSentence } from '../writing/within-sentence';
import { claimSentence } from '../writing/claim-sentence';

/**
 * Puts the report together from what the passes left. Pure: the same parts give the same bytes. Citations are numbered
 * in the order in which the sections first use them. `summary` is the chapter that the report has no field for.
 */
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
  const gaps = unanswered === null ? gapsWithUnwritten(parts.gaps, planned) : [unanswered.gap];
  const overallTheme =
    unanswered?.theme ?? parts.outline?.overallTheme ?? 'The run ended before the sources were surveyed.';
  const opening = unanswered?.summary ?? inert(overallTheme);
  const bullets = parts.frame?.bullets ?? [];
  const drafted = planned.map(({ draft }) => draft?.markdown ?? '').join('\n');
  const conflicts = parts.conflicts.map((conflict) =>
    conflictParagraph(conflict, sources, (quoted) => drafted.includes(quoted)),
  );
  const gapLines = gaps.map((gap) => gapLine(gap, sources));
  const written = [
    ...planned.flatMap(({ draft }) => draft?.markdown ?? []),
    ...bullets,
    ...conflicts,
    ...gapLines,
    ...(unanswered === null ? [] : [opening]),
  ];
  const numbered = numberAsides([
    { sectionId: SUMMARY, setAside: parts.frame?.checked?.setAside ?? [], text: bullets.join('\n') },
    ...planned.map(({ id, draft, setAside }) => ({ sectionId: id, setAside, text: draft?.markdown ?? '' })),
  ]);
  const setAside = numbered.map(({ claim }) => claim);
  const titleOf = titleOfPart(planned);
  // Where they are to be removed, only those that have their places marked all the same count as set aside, not as removed.
  const toldAside = numbered.filter(({ isMarked }) => isMarked || synthesis.unsupportedClaims === 'mark');
  const namedAside = sourcesNamedBy(toldAside.map(({ claim }) => claim)).map((id) => citationMark([id]));
  const numbers = numberCitations([...written, ...namedAside], sources);
  const labels = labelCitations(numbers, sources, synthesis.citationStyle);
  const listed = reportCitations(written, numbers, sources, new Set(parts.readInFull));
  // What only claims cite that do not stand bears nothing in the report.
  const citations = listed.filter(({ timesCited }) => timesCited > 0);

  const { sections, claims } = renderSections(planned, {
    findings,
    conflicts: parts.conflicts,
    sources,
    numbers,
    labels,
    setAside,
  });
  const assessed = findingsTold(claims, findings, citations, numbers);
  const major = majorFindings(assessed, synthesis.confidenceThreshold);
  const citationsOf = new Map(sections.map((section) => [section.id, section.citations]));
  // What is wanted of a report is measured by what the outline found; before there is one, by all that there is.
  const rootOf = (id: string): string => sources.get(id)?.work?.id ?? id;
  const repeatedIn = (ids: Iterable<string>): number => {
    const all = [...ids];
    return all.length - new Set(all.map(rootOf)).size;
  };
  const sourcesBearing =
    parts.outline === null
      ? countSources(parts) - repeatedIn(sources.keys())
      : countBearing(parts.outline) - repeatedIn(bearingSources(parts.outline));
  const cited = {
    citations,
    sections: planned.map(({ id, title, sourceIds }) => ({
      id,
      title,
      sourceIds,
      citations: citationsOf.get(id) ?? [],
    })),
    majorClaims: majorClaims(claims, major),
    sourcesGiven: sourcesGiven - repeatedIn(sources.keys()),
    sourcesBearing,
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
      reason: claim.reason,
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
    gaps: gaps.map((gap) => gap.question),
    followUpQuestions: parts.frame?.followUpQuestions ?? [],
    citationReport: citationReport(cited, synthesis),
    audit: countVerdicts([...claims.map(({ claim }) => claim), ...setAside]),
    judge: parts.judge,
    sources: {
      ...sourceCounts(parts),
      ...(cited.sourcesGiven === sourcesGiven ? {} : { works: cited.sourcesGiven }),
    },
    ...(parts.search ? { search: parts.search } : {}),
    warnings: parts.warnings,
    usage: parts.usage,
    timings: parts.timings,
    provenance: parts.provenance,
  };
  const summary = renderClaims(summaryDraft(parts.frame), {
    findings,
    conflicts: parts.conflicts,
    sources,
    numbers,
    labels,
    asides: asidesOf(setAside, SUMMARY),
  });
  // A reader begins with the answer; what the sources deal with opens a report that has none to begin with.
  const plainBullets = bulletsIn(summary.markdown);
  const chapter = {
    opening: plainBullets.some((bullet) => withoutOwnRemarks(bullet) !== '')
      ? ''
      : renderCitations(opening, labels),
    bullets: plainBullets,
  };
  const conflictParagraphs = conflicts.map((paragraph) => renderCitations(paragraph, labels));
  const claimsTold = claimsLine(
    body.audit,
    numbered.map((aside) => ({
      fate: toldAside.includes(aside) ? aside.claim.action : 'removed',
      part: titleOf(aside.claim.sectionId),
    })),
    { isQuoted: traitsOf(parts.provenance.engine).framesQuotes },
  );
  // What changes nothing of what can be believed does not stand before the answer.
  const standsAsWritten = body.audit.claims > 0 && body.audit.supported === body.audit.claims;
  const aboutReport = [
    ...(standsAsWritten ? [claimsTold] : []),
    ...[citationNotice(cited, synthesis) ?? []].flat().map(inert),
  ];
  const chapters = {
    ...chapter,
    sections: sections.map(({ id, title, markdown: text }) => {
      const own = body.claims.filter((claim) => claim.sectionId === id && saysSo(claim));
      const line = sectionConfidence(own);
      return { title, markdown: line === '' ? text : `${text}\n\n${line}` };
    }),
    notices: [
      ...[...(parts.endedEarly === null ? [] : [parts.endedEarly]), ...parts.shortfalls].map((text) =>
        inert(text),
      ),
      ...searchNotices(parts.search ?? null, citations),
      ...parts.warnings.filter(({ code }) => code === READ_BY_WORDS).map(({ message }) => inert(message)),
      ...(parts.judge === null ? [] : [judgeNotice(parts.judge) ?? []].flat()).map(inert),
      ...(unanswered === null ? (standsAsWritten ? [] : [claimsTold]) : [inert(unanswered.notice)]),
    ],
    conflictParagraphs,
    gapLines: gapLines.map((line) => renderCitations(line, labels)),
    assessment: [
      ...confidenceAssessment(major, assessed, { threshold: synthesis.confidenceThreshold, labels }),
      ...(unanswered === null && aboutReport.length > 0 ? [aboutReport.join(' ')] : []),
    ],
    followUps: parts.frame?.followUpQuestions ?? [],
  };
  const markdown = reportMarkdown(body, chapters);
  return {
    report: visibleStrings({
      ...body,
      markdown,
      ...summaryClaims(markdown, parts.frame, summary.claims),
    }),
    markdown,
    summary: summaryChapter(chapter),
    disagreements: conflictParagraphs.join('\n\n'),
  };
}

function bulletsIn(markdown: string): string[] {
  return markdown.split('\n\n').filter((bullet) => bullet !== '');
}

function renderSections(
  planned: readonly OutlinedSection[],
  {
    setAside,
    ...material
  }: ClaimMaterial & {
    setAside: Parameters<typeof asidesOf>[0];
  },
): { sections: Report['sections']; claims: BackedClaim[] } {
  const claims: BackedClaim[] = [];
  const sections = planned.flatMap(({ id, title, draft }) => {
    if (draft === null) return [];
    const rendered = renderClaims(draft, { ...material, asides: asidesOf(setAside, id) });
    for (const { claim, findingIds } of rendered.claims)
      claims.push({ claim: { id: `claim-${claims.length + 1}`, sectionId: id, ...claim }, findingIds });
    const citations = numbersOf(citedIds(draft.markdown), material.numbers);
    return [{ id, title, markdown: rendered.markdown, citations }];
  });
  return { sections, claims };
}

/** What a report infers is no evidence, and is told as its own in place of a confidence. */
function saysSo({ verdict }: { verdict: Verdict }): boolean {
  return verdict !== 'inference';
}

/** `**What is open?** Why.`, or `**Doe (2005) leaves open:** “X” [@a].` where a source says so itself. */
function gapLine({ question, reason, evidence }: Gap, sources: ReadonlyMap<string, Attributable>): string {
  if (evidence === undefined) {
    const [what, why] = [question, reason].map((text) => inert(text));
    return `**${what}** ${why}`;
  }
  const { sourceId, quote } = evidence;
  const { subject, plural } = attributionOf(sources.get(sourceId) ?? { title: sourceId });
  return `**${writingTexts.leavesOpen(inert(subject), plural)}** ${evidenceQuotation(quote)} ${citationMark([sourceId])}.`;
}

/** What a reader is told first of how sources were found, in Markdown; none where all were given. */
function searchNotices(search: SearchAccount | null, citations: readonly ReportCitation[]): string[] {
  const withdrawn = citations.flatMap(({ title, retracted }) => (retracted === true ? [inert(title)] : []));
  const retracted = withdrawn.length === 0 ? [] : [reportTexts.retractedCited(withdrawn)];
  if (search === null) return retracted;
  const { indexes, queries, rounds, works } = search;
  const having = (outcome: string): number => works.filter((work) => work.outcome === outcome).length;
  const [abstracts, unread] = [having('abstract'), having('unread')];
  const read = works.length - unread;
  const told = { indexes, rounds, queries: queries.length, found: works.length, read, abstracts, unread };
  return [reportTexts.searched(told), ...retracted];
}

function countSources({ catalogue }: ReportParts): number {
  return catalogue?.count ?? catalogue?.sources.length ?? 0;
}

/** Every source given is in exactly one of: read in full, known by its summary to some section, unused, duplicate. */
function sourceCounts(parts: ReportParts): Report['sources'] {
  const inFull = new Set(parts.readInFull);
  const bearing = bearingSources(parts.outline);
  const bearingInFull = [...inFull].filter((id) => bearing.has(id)).length;
  const duplicates = parts.catalogue?.merged.length ?? 0;
  const others = countSources(parts) - inFull.size;
  const bySummary =
    parts.outline === null ? 0 : Math.max(0, Math.min(countBearing(parts.outline) - bearingInFull, others));
  return {
    total: parts.sourcesGiven,
    inFull: inFull.size,
    bySummary,
    unused: parts.sourcesGiven - inFull.size - bySummary - duplicates,
    duplicates,
    retrievals: parts.retrievals,
  };
}

function summaryDraft(frame: ReportFrame | null): SectionDraft {
  if (frame === null) return { markdown: '', claims: [] };
  const { markdown, claims } = draftOf(frameText(frame));
  return { markdown, claims: frame.claims ?? claims };
}

/**
 * The sentences of an Executive Summary that a model wrote, with what their audit found, where they stand in the whole report:
 * without the remark on their confidence that may stand before their full stop there. What only quotes has its claims in the sections.
 */
function summaryClaims(
  markdown: string,
  frame: ReportFrame | null,
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
    return [{ ...claim, id: `summary-${at + 1}`, sectionId: SUMMARY, text, start, end: from }];
  });
  return { summaryClaims: claims };
}

interface OutlinedSection {
  id: string;
  title: string;
  /** Null for a section that was written from nothing: it is no chapter, and stands among the gaps instead. */
  draft: SectionDraft | null;
  /** What was written of it and does not stand, be it a chapter or not. */
  setAside: readonly SetAsideClaim[];
  sourceIds: string[];
}

/** The outline's sections with their text. A section that was not written, or of which nothing stands, becomes the list of its findings. */
function outlinedSections(
  parts: ReportParts,
  sources: ReadonlyMap<string, CataloguedSource>,
): OutlinedSection[] {
  return (parts.outline?.sections ?? []).map(({ id, title, relevantSources }) => {
    const written = parts.drafts.find((draft) => draft.sectionId === id)?.draft;
    const found = parts.findings.find((entry) => entry.sectionId === id)?.findings ?? [];
    const setAside = written?.checked?.setAside ?? [];
    const isEmpty = written?.claims.length === 0;
    const isListed = written === undefined || (isEmpty && setAside.length > 0 && found.length > 0);
    const list = findingsAsList(found, sources, { endedEarly: parts.endedEarly !== null });
    return {
      id,
      title: title,
      draft: isListed ? list : isEmpty ? null : written,
      setAside,
      sourceIds: relevantSources.map(({ sourceId }) => sourceId),
    };
  });
}

/** The gaps with those sections that are no chapter, and that no gap tells of: a reader is not to miss them. */
function gapsWithUnwritten(gaps: readonly Gap[], planned: readonly OutlinedSection[]): Gap[] {
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
  { endedEarly }: { endedEarly: boolean },
): SectionDraft {
  if (findings.length === 0) {
    return { markdown: reportTexts.nothingFound(endedEarly), claims: [] };
  }
  const claims = findings.map((finding) => ({
    text: claimSentence(finding, sources),
    findingIds: [finding.id],
  }));
  return { markdown: claims.map((claim) => `- ${claim.text}`).join('\n'), claims };
}
