import type { SectionDraft } from '../contracts/draft';
import type { Finding, Gap, SetAsideClaim } from '../contracts/finding';
import type { CataloguedSource } from '../contracts/source';
import { writingTexts } from '../contracts/wording';
import { citationMark } from '../lib/citation-marks';
import { withinSentence } from '../lib/strings';
import { toSafeLine } from '../lib/untrusted-text';
import { type Attributable, attributionOf } from './attribution';
import {
  conflictParagraph,
  isConflictInPart,
  isConflictInSection,
  type ReportParts,
  type UnansweredTexts,
  unansweredTexts,
} from './chapters';
import { claimSentence, evidenceQuotation } from './claim-sentence';

/** Content of the report before its citations are numbered. Its texts cite by source id. */
export interface ReportContent {
  sources: ReadonlyMap<string, CataloguedSource>;
  findings: ReadonlyMap<string, Finding>;
  unanswered: UnansweredTexts | null;
  sections: OutlinedSection[];
  overallTheme: string;
  /** First paragraph of a summary without bullets. */
  opening: string;
  /** A paragraph for each conflict. */
  conflictParagraphs: string[];
  /** Paragraphs of the conflicts that no section states. */
  standaloneConflicts: string[];
  gapQuestions: string[];
  /** Empty if the text states its own gaps. */
  gapLines: string[];
}

interface OutlinedSection {
  id: string;
  title: string;
  /** Null for a section without findings: it becomes a gap, not a chapter. */
  draft: SectionDraft | null;
  setAside: readonly SetAsideClaim[];
  sourceIds: string[];
}

/** Further gaps appear in `report.json` only. */
const MAX_GAPS = 6;

export function reportContent(parts: ReportParts): ReportContent {
  const sources = new Map((parts.catalogue?.sources ?? []).map((source) => [source.id, source]));
  const findings = new Map(
    parts.findings.flatMap((section) => section.findings).map((finding) => [finding.id, finding]),
  );
  const unanswered = unansweredTexts(parts);
  const sections = unanswered === null ? outlinedSections(parts, sources) : [];
  const overallTheme =
    unanswered?.theme ?? parts.outline?.overallTheme ?? 'The run ended before the sources were surveyed.';
  const sectionText = sections.map(({ draft }) => draft?.markdown ?? '').join('\n');
  const isStated = parts.text === undefined ? isConflictInSection : isConflictInPart;
  const conflicts = parts.conflicts.map((conflict) => ({
    paragraph: conflictParagraph(conflict, sources, (quotation) => sectionText.includes(quotation)),
    isStandalone: !sections.some(({ draft }) => draft !== null && isStated(draft, conflict, findings)),
  }));
  const gaps = unanswered === null ? addUnwrittenSections(parts.gaps, sections) : [unanswered.gap];
  const gapsInText = parts.text?.gaps ?? [];
  const hasOwnGaps = gapsInText.length > 0;
  return {
    sources,
    findings,
    unanswered,
    sections,
    overallTheme,
    opening: unanswered?.summary ?? toSafeLine(overallTheme),
    conflictParagraphs: conflicts.map(({ paragraph }) => paragraph),
    standaloneConflicts: conflicts.flatMap(({ paragraph, isStandalone }) =>
      isStandalone ? [paragraph] : [],
    ),
    gapQuestions: hasOwnGaps ? gapsInText : gaps.map(({ question }) => question),
    gapLines: hasOwnGaps ? [] : gaps.slice(0, MAX_GAPS).map((gap) => gapLine(gap, sources)),
  };
}

/** The order of these texts decides the numbers of the sources. */
export function citingTexts(
  { sections, standaloneConflicts, gapLines, unanswered, opening }: ReportContent,
  bullets: readonly string[],
): string[] {
  return [
    ...sections.flatMap(({ draft }) => draft?.markdown ?? []),
    ...bullets,
    ...standaloneConflicts,
    ...gapLines,
    ...(unanswered === null ? [] : [opening]),
  ];
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

function addUnwrittenSections(gaps: readonly Gap[], sections: readonly OutlinedSection[]): Gap[] {
  const sectionsWithGaps = new Set(gaps.map(({ sectionId }) => sectionId));
  const unwritten = sections.filter(({ id, draft }) => draft === null && !sectionsWithGaps.has(id));
  return [
    ...gaps,
    ...unwritten.map(({ id, title }) => ({
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
