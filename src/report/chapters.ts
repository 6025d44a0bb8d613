import type { DraftClaim, ReportSummary, SectionDraft } from '../contracts/draft';
import type { Conflict, Finding, Gap, Viewpoint } from '../contracts/finding';
import type { Outline } from '../contracts/outline';
import { READ_BY_WORDS } from '../contracts/pipeline';
import type { Report, ReportCitation, ReportClaim } from '../contracts/report';
import type { RunStatus } from '../contracts/run';
import type { SearchLog, SinceLast } from '../contracts/run-input';
import type { SynthesisSettings } from '../contracts/run-settings';
import type { SourceCatalogue } from '../contracts/source';
import { noAnswerSentence, writingTexts } from '../contracts/wording';
import { conflictReason, favouredView } from '../evidence/corroboration';
import { judgeNotice } from '../evidence/judge-scores';
import { citationMark, citedIds } from '../lib/citation-marks';
import { groupBy, interleave } from '../lib/iterables';
import { capitalised } from '../lib/strings';
import { formatQuote, quoteIfVerbatim, toSafeLine } from '../lib/untrusted-text';
import { type Attributable, attributionOf, shorten } from './attribution';
import { citationNotice, type CitationReportInput } from './citation-report';
import { byWork, type CitationNumbers, numbersOf } from './citations';
import { evidenceQuotation } from './claim-sentence';
import { relevanceOfSources } from './ranked-outline';
import { type Check, reportTexts } from './report-texts';
import type { GivenSources } from './sources-read';

// Chapters of a report besides its sections: conflicts, unanswered questions, major findings, notes on the run.

/** All sources, or only those that the report names, with the `count` of all. */
type ReportSources = SourceCatalogue & { count?: number };

/** Data for assembling a report. If a run ended early, drafts, outline or catalogue are null or missing, and the report says so. */
export interface ReportParts {
  id: string;
  question: string;
  status: RunStatus;
  /** Why the run ended early, as a sentence for the reader; null for a complete run. */
  endedEarly: string | null;
  /** Failures of passes and their replacements, one sentence for the reader each. */
  shortfalls: string[];
  /** True if all sections were read and none has an answer; an outline may say so as well. */
  noAnswer?: boolean | undefined;
  synthesis: SynthesisSettings;
  sourcesGiven: number;
  catalogue: ReportSources | null;
  outline: Outline | null;
  findings: { sectionId: string; findings: Finding[] }[];
  conflicts: Conflict[];
  gaps: Gap[];
  drafts: { sectionId: string; draft: SectionDraft }[];
  frame: ReportSummary | null;
  /** Set for a model's whole text with its own sections: the planned outline, gaps in the text, and whether a critic answered. */
  text?: { planned: Outline; gaps: string[]; isChecked: boolean } | undefined;
  readInFull: string[];
  retrievals: Report['sources']['retrievals'];
  warnings: Report['warnings'];
  estimate?: Report['estimate'];
  usage: Report['usage'];
  timings: Report['timings'];
  provenance: Report['provenance'];
  /** Null if it is not judged. */
  judge: Report['judge'];
  /** Search log; null or absent if all sources were given. */
  search?: SearchLog | null | undefined;
  since?: SinceLast | undefined;
  /** All sources of the run; absent in versions for the judge. */
  given?: Omit<GivenSources, 'cited'> | undefined;
}

const VIEWPOINT_WORDS = 60;
const REPEATED_WORDS = 12;
const differenceSentences = (topic: string): string[] => [
  `On ${topic}, one side denies what the other says.`,
  `On ${topic}, one side reports an effect or a difference, the other none.`,
  `On ${topic}, the sides report opposite effects.`,
];

/**
 * `**Topic.** Doe (2005) reports “X” [@a], while Roe (2010) reports “Y” [@b].`, then the reason and the
 * resolution. A quotation is shortened if `isTold` returns true, because a section already has it.
 */
export function conflictParagraph(
  conflict: Conflict,
  sources: ReadonlyMap<string, Attributable>,
  isTold: (quotation: string) => boolean = () => false,
): string {
  const views = writingTexts.views(
    conflict.viewpoints.map((viewpoint) => conflictView(viewpoint, sources, isTold)),
  );
  const topic = toSafeLine(conflict.topic).replace(/\.$/, '');
  const reason = toSafeLine(conflictReason(withoutDifferenceSentence(conflict)));
  const parts = [`**${capitalised(topic)}.** ${views}`, reason, resolutionText(conflict, sources)];
  return parts.filter((part) => part !== '').join(' ');
}

/** True if one paragraph or list item states every side of a conflict, each by a claim that rests on its evidence. */
export function isConflictInSection(
  { markdown, claims }: SectionDraft,
  { viewpoints }: Pick<Conflict, 'viewpoints'>,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  return markdown.split(/\n{2,}|\n(?=\s*(?:[-*|]|\d+\.)\s)/).some((block) => {
    const own = claims.filter(({ text }) => block.includes(text));
    return viewpoints.every((viewpoint) => own.some((claim) => claimRestsOn(claim, viewpoint, findings)));
  });
}

/** True if a part of a whole text cites every side of a conflict, and all but one by a claim that rests on that side's evidence. */
export function isConflictInPart(
  { claims }: SectionDraft,
  { viewpoints }: Pick<Conflict, 'viewpoints'>,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  const cited = new Set(claims.flatMap(({ text }) => citedIds(text)));
  const stated = viewpoints.filter((viewpoint) =>
    claims.some((claim) => claimRestsOn(claim, viewpoint, findings)),
  );
  return (
    viewpoints.every(({ citations }) => citations.some((id) => cited.has(id))) &&
    stated.length >= viewpoints.length - 1
  );
}

function claimRestsOn(
  { text, findingIds, verdict }: DraftClaim,
  viewpoint: Viewpoint,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  const cited = citedIds(text);
  const evidence = [
    ...findingIds.flatMap((id) => findings.get(id)?.evidence ?? []),
    ...(verdict?.evidence ? [verdict.evidence] : []),
    ...(verdict?.quotes ?? []),
  ].filter(({ sourceId }) => cited.includes(sourceId));
  return (
    overlapsEvidence(viewpoint, evidence) || overlapsEvidence(viewpoint, quotedEvidence(text, viewpoint))
  );
}

function withoutDifferenceSentence({
  topic,
  reason,
  ...conflict
}: Conflict): Pick<Conflict, 'reason' | 'isInferred'> {
  const shown = differenceSentences(topic).find((told) => reason.startsWith(told)) ?? '';
  return { ...conflict, reason: reason.slice(shown.length).trim() };
}

function conflictView(
  viewpoint: Viewpoint,
  sources: ReadonlyMap<string, Attributable>,
  isTold: (quotation: string) => boolean,
): { who: string; areMany: boolean; what: string } {
  const first = leadingSource(viewpoint);
  const { subject, plural } = attributionOf(sources.get(first) ?? { title: first });
  const others = new Set(viewpoint.citations.filter((id) => id !== first)).size;
  const who = toSafeLine(subject);
  const statement = quoteIfVerbatim(viewpoint.statement, viewpoint.evidence, (text) =>
    shorten(text, isTold(evidenceQuotation(text)) ? REPEATED_WORDS : VIEWPOINT_WORDS),
  );
  const cited = citationMark([...new Set([first, ...viewpoint.citations])]);
  return {
    who: others === 0 ? who : writingTexts.withMore(who, others),
    areMany: plural || others > 0,
    what: `${statement} ${cited}`,
  };
}

function leadingSource(viewpoint: Viewpoint): string {
  return viewpoint.evidence[0]?.sourceId ?? viewpoint.citations[0] ?? '';
}

function resolutionText(
  { resolution, viewpoints }: Conflict,
  sources: ReadonlyMap<string, Attributable>,
): string {
  const favoured = favouredView(resolution);
  const view = favoured === null ? undefined : viewpoints[favoured];
  if (favoured === null || view === undefined) return '';
  const first = leadingSource(view);
  const { subject } = attributionOf(sources.get(first) ?? { title: first });
  return writingTexts.favoured(favoured, toSafeLine(subject));
}

function overlapsEvidence({ evidence }: Viewpoint, others: Viewpoint['evidence']): boolean {
  return evidence.some((one) =>
    others.some((other) => one.sourceId === other.sourceId && one.start < other.end && other.start < one.end),
  );
}

/** Evidence that the text quotes word for word. A row of quotes may state a side without one of its findings. */
function quotedEvidence(text: string, { evidence }: Viewpoint): Viewpoint['evidence'] {
  const cited = citedIds(text);
  return evidence.filter(({ sourceId, quote }) => cited.includes(sourceId) && text.includes(quote));
}

const CLAIM_WORDS = 60;

/** Payload of document 002's `conflict-detected` event. */
export function conflictPayload({ topic, viewpoints }: Conflict): {
  topic: string;
  claim: string;
  sources: string[];
} {
  return {
    topic,
    claim: shorten(viewpoints[0]?.statement ?? topic, CLAIM_WORDS),
    sources: [...new Set(viewpoints.flatMap(({ citations }) => citations))],
  };
}

const MAX_NEAREST = 5;

export interface UnansweredTexts {
  notice: string;
  theme: string;
  summary: string;
  gap: Gap;
}

/** Null for a report with an answer, or if the run ended before that was known. */
export function unansweredTexts(parts: ReportParts): UnansweredTexts | null {
  const nearest = nearestSources(parts);
  if (nearest === null) return null;
  const { question, sourcesGiven } = parts;
  const titles = new Map((parts.catalogue?.sources ?? []).map(({ id, title }) => [id, title]));
  const named = nearest.flatMap((id) => {
    const title = titles.get(id);
    return title === undefined ? [] : [`${formatQuote(title)} ${citationMark([id])}`];
  });
  const theme = noAnswerSentence(question);
  const given = sourcesGiven === 1 ? 'the one source' : `the ${sourcesGiven} sources`;
  return {
    notice: reportTexts.noAnswer(sourcesGiven),
    theme,
    summary: [toSafeLine(theme), ...(named.length === 0 ? [] : [reportTexts.nearest(named)])].join(' '),
    gap: { question, reason: `Nothing that could be quoted on it was found in ${given}.` },
  };
}

/** The sources that the outline names; if no section has findings, the most relevant ones. Null for a report with an answer. */
export function nearestSources({
  outline,
  noAnswer,
}: Pick<ReportParts, 'outline' | 'noAnswer'>): string[] | null {
  if (outline?.unanswered !== undefined) return outline.unanswered.nearest.slice(0, MAX_NEAREST);
  if (noAnswer !== true) return null;
  return [...relevanceOfSources(outline)]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MAX_NEAREST)
    .map(([id]) => id);
}

/** Readers do not go through a longer list; each claim carries its own confidence. */
const MAX_LISTED_FINDINGS = 12;

export interface FindingWithCitations {
  finding: Finding;
  citations: ReportCitation[];
}

export interface ClaimWithFindings {
  claim: ReportClaim;
  findingIds: string[];
}

interface RankedFinding {
  finding: Finding;
  citations: readonly unknown[];
}

export interface MajorFindings<Told extends RankedFinding = FindingWithCitations> {
  /** Findings from the threshold on; if there are none, the listed ones. */
  major: Told[];
  reached: boolean;
  /** By decreasing confidence. */
  listed: Told[];
  below: number;
}

export function majorFindings<Told extends RankedFinding>(
  told: readonly Told[],
  threshold: number,
): MajorFindings<Told> {
  const major = told.filter(({ finding }) => finding.confidence >= threshold);
  const reached = major.length > 0;
  const listed = selectListedFindings(reached ? major : told);
  return { major: reached ? major : listed, reached, listed, below: told.length - major.length };
}

/**
 * Takes the best finding of each section before any second one. Sorted by decreasing confidence, then by the
 * number of sources.
 */
function selectListedFindings<Told extends RankedFinding>(assessed: readonly Told[]): Told[] {
  const bySection = groupBy(assessed, ({ finding }) => finding.sectionId);
  const ranked = [...bySection.values()].map((entries) => entries.sort(byWeight));
  return interleave(ranked).slice(0, MAX_LISTED_FINDINGS).sort(byWeight);
}

function byWeight(a: RankedFinding, b: RankedFinding): number {
  return b.finding.confidence - a.finding.confidence || b.citations.length - a.citations.length;
}

export function majorClaims(
  claims: readonly ClaimWithFindings[],
  { major }: MajorFindings<RankedFinding>,
): ReportClaim[] {
  const majorIds = new Set(major.map(({ finding }) => finding.id));
  return claims
    .filter(({ findingIds }) => findingIds.some((id) => majorIds.has(id)))
    .map(({ claim }) => claim);
}

export function assessedFindings(
  claims: readonly ClaimWithFindings[],
  findings: ReadonlyMap<string, Finding>,
  citations: readonly ReportCitation[],
  numbers: CitationNumbers,
): FindingWithCitations[] {
  const ids = new Set(claims.flatMap(({ findingIds }) => findingIds));
  return [...ids].flatMap((id) => {
    const finding = findings.get(id);
    if (finding === undefined) return [];
    const cited = new Set(numbersOf(finding.citations, numbers));
    return [{ finding, citations: citations.filter((citation) => cited.has(citation.n)) }];
  });
}

export interface RunNotes {
  /** Why the report is incomplete, as a Markdown paragraph; empty if it is complete. */
  incomplete: string;
  limits: string;
  /** All notes, with those that only `report.json` and the web page show, a plain sentence each. */
  all: NonNullable<Report['notices']>;
}

export function runNotes(
  parts: ReportParts,
  {
    cited,
    check,
    unanswered,
  }: { cited: CitationReportInput; check: Check; unanswered: UnansweredTexts | null },
): RunNotes {
  const incomplete = [
    ...(parts.endedEarly === null ? [] : [parts.endedEarly]),
    ...fallbackNotes(parts.warnings),
    ...(check.by !== 'quoting' && check.by !== 'words' ? [] : uncheckedNote(check)),
  ];
  const limits = [
    ...parts.shortfalls,
    ...parts.warnings.filter(({ code }) => code === READ_BY_WORDS).map(({ message }) => message),
    ...searchNotes(parts.search ?? null),
    ...(unanswered === null ? sourceNotes(cited.citations, { tellsWorks: parts.text === undefined }) : []),
  ];
  const others = [
    unanswered === null ? null : unanswered.notice,
    parts.judge === null ? null : judgeNotice(parts.judge),
    citationNotice(cited, parts.synthesis),
  ];
  return {
    incomplete: paragraphOf(incomplete),
    limits: paragraphOf(limits),
    all: [...new Set([...incomplete, ...limits, ...others.flatMap((note) => note ?? [])])],
  };
}

/** Further fallbacks appear in `report.json` only. */
const MAX_FALLBACKS = 5;

export function fallbackNotes(warnings: Report['warnings']): string[] {
  const told = warnings.flatMap(({ message, fallback }) => (fallback === undefined ? [] : [message]));
  const more = told.length - MAX_FALLBACKS;
  return more <= 0 ? told : [...told.slice(0, MAX_FALLBACKS), reportTexts.moreFallbacks(more)];
}

function paragraphOf(notes: readonly string[]): string {
  return [...new Set(notes)].map(toSafeLine).join(' ');
}

function uncheckedNote({ unchecked, stated }: Check): string[] {
  return unchecked === 0 ? [] : [reportTexts.notChecked(unchecked, stated)];
}

function searchNotes(search: SearchLog | null): string[] {
  if (search === null) return [];
  const { indexes, queries, rounds, works } = search;
  const having = (outcome: string): number => works.filter((work) => work.outcome === outcome).length;
  const [abstracts, unread] = [having('abstract'), having('unread')];
  const read = works.length - unread;
  const told = { indexes, rounds, queries: queries.length, found: works.length, read, abstracts, unread };
  return [reportTexts.searched(told)];
}

/** `tellsWorks` is false for a model's whole text, which itself states that sources are parts of one work. */
function sourceNotes(
  citations: readonly ReportCitation[],
  { tellsWorks }: { tellsWorks: boolean },
): string[] {
  const withdrawn = citations.flatMap(({ title, retracted }) => (retracted === true ? [title] : []));
  const ofOneWork = byWork(citations).flatMap(({ work, parts: { length } }) =>
    work === undefined || length < 2 ? [] : [reportTexts.ofOneWork(length, citations.length, work.title)],
  );
  const bySummary = citations.filter(({ readInFull }) => !readInFull).length;
  return [
    ...(withdrawn.length === 0 ? [] : [reportTexts.retractedCited(withdrawn)]),
    ...(tellsWorks ? ofOneWork : []),
    ...(bySummary === 0 ? [] : [reportTexts.readBySummary(bySummary, citations.length)]),
  ];
}
