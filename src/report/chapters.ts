import type { DraftClaim, ReportFrame, SectionDraft } from '../contracts/draft';
import type { Conflict, Finding, Gap, Viewpoint } from '../contracts/finding';
import type { Outline } from '../contracts/outline';
import { READ_BY_WORDS } from '../contracts/pipeline';
import type { Report, ReportCitation, ReportClaim } from '../contracts/report';
import type { RunStatus } from '../contracts/run';
import type { SearchAccount, SinceLast } from '../contracts/run-input';
import type { SynthesisSettings } from '../contracts/run-settings';
import type { SourceCatalogue } from '../contracts/source';
import { noAnswerSentence, writingTexts } from '../contracts/wording';
import { conflictReason, favouredView } from '../evidence/corroboration';
import { judgeNotice } from '../evidence/judge-scores';
import { citationMark, citedIds } from '../lib/citation-marks';
import { groupedBy, inTurns } from '../lib/iterables';
import { capitalised } from '../lib/strings';
import { inert, quotation, quotedIfVerbatim } from '../lib/untrusted-text';
import { type Attributable, attributionOf, shorten } from './attribution';
import { byWork, type CitationNumbers, numbersOf } from './citations';
import { evidenceQuotation } from './claim-sentence';
import { relevanceOfSources } from './ranked-outline';
import { citationNotice, type CitedMaterial } from './report-markdown';
import { type Check, reportTexts } from './report-texts';

/** The sources of a report: all of them, or those that it may name with the `count` of all. */
type ReportSources = SourceCatalogue & { count?: number };

/**
 * Everything that a run has when its report is put together. A run that ended early has less: an absent draft, outline
 * or catalogue is `null` or missing from its list, and the report says what is missing.
 */
export interface ReportParts {
  id: string;
  question: string;
  status: RunStatus;
  /** Why the run ended early, as a sentence for the reader; null for a run that went to its end. */
  endedEarly: string | null;
  /** What a pass could not do, and what stands in its place: a sentence for the reader each. */
  shortfalls: string[];
  /** Whether all sections were read and nothing was found that answers; an outline may say so as well. */
  noAnswer?: boolean | undefined;
  synthesis: SynthesisSettings;
  sourcesGiven: number;
  catalogue: ReportSources | null;
  outline: Outline | null;
  findings: { sectionId: string; findings: Finding[] }[];
  conflicts: Conflict[];
  gaps: Gap[];
  drafts: { sectionId: string; draft: SectionDraft }[];
  frame: ReportFrame | null;
  /**
   * Set where drafts and frame are a model's whole text, whose own sections stand for those of the outline: the outline as it was
   * planned, the gaps that the text tells itself, and whether a critic has answered.
   */
  text?: { planned: Outline; gaps: string[]; isChecked: boolean } | undefined;
  readInFull: string[];
  retrievals: Report['sources']['retrievals'];
  warnings: Report['warnings'];
  estimate?: Report['estimate'];
  usage: Report['usage'];
  timings: Report['timings'];
  provenance: Report['provenance'];
  /** Null where it was not, or not yet, judged. */
  judge: Report['judge'];
  /** What was searched for, and what came of it; null or absent where all sources were given. */
  search?: SearchAccount | null | undefined;
  since?: SinceLast | undefined;
}

const VIEWPOINT_WORDS = 60;
const TOLD_WORDS = 12;
const shownBy = (topic: string): string[] => [
  `On ${topic}, one side denies what the other says.`,
  `On ${topic}, one side reports an effect or a difference, the other none.`,
  `On ${topic}, the sides report opposite effects.`,
];

/**
 * `**Topic.** Doe (2005) reports “X” [@a], while Roe (2010) reports “Y” [@b].` Why they may differ, and what follows. More
 * than two views follow one another: `…, while B reports …, and C reports …`. What `isTold` elsewhere, in quotation marks, is shorter.
 */
export function conflictParagraph(
  conflict: Conflict,
  sources: ReadonlyMap<string, Attributable>,
  isTold: (quotation: string) => boolean = () => false,
): string {
  const views = writingTexts.views(
    conflict.viewpoints.map((viewpoint) => viewOf(viewpoint, sources, isTold)),
  );
  const topic = inert(conflict.topic).replace(/\.$/, '');
  const reason = inert(conflictReason(withoutShown(conflict)));
  const parts = [`**${capitalised(topic)}.** ${views}`, reason, resolutionText(conflict, sources)];
  return parts.filter((part) => part !== '').join(' ');
}

/** True if one paragraph or list item of a section states every side of a conflict, each by a claim that rests on its evidence. */
export function isToldIn(
  { markdown, claims }: SectionDraft,
  { viewpoints }: Pick<Conflict, 'viewpoints'>,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  return markdown.split(/\n{2,}|\n(?=\s*(?:[-*|]|\d+\.)\s)/).some((block) => {
    const own = claims.filter(({ text }) => block.includes(text));
    return viewpoints.every((viewpoint) => own.some((claim) => restsOn(claim, viewpoint, findings)));
  });
}

/**
 * True if a part of a whole text, whose writer knew of the conflict, tells of it: it cites every side, and all but one by a claim
 * that rests on the side's evidence.
 */
export function isToldInPart(
  { claims }: SectionDraft,
  { viewpoints }: Pick<Conflict, 'viewpoints'>,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  const cited = new Set(claims.flatMap(({ text }) => citedIds(text)));
  const stated = viewpoints.filter((viewpoint) =>
    claims.some((claim) => restsOn(claim, viewpoint, findings)),
  );
  return (
    viewpoints.every(({ citations }) => citations.some((id) => cited.has(id))) &&
    stated.length >= viewpoints.length - 1
  );
}

function restsOn(
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
  return isOn(viewpoint, evidence) || isOn(viewpoint, quotedIn(text, viewpoint));
}

function withoutShown({ topic, reason, ...conflict }: Conflict): Pick<Conflict, 'reason' | 'isInferred'> {
  const shown = shownBy(topic).find((told) => reason.startsWith(told)) ?? '';
  return { ...conflict, reason: reason.slice(shown.length).trim() };
}

function viewOf(
  viewpoint: Viewpoint,
  sources: ReadonlyMap<string, Attributable>,
  isTold: (quotation: string) => boolean,
): { who: string; areMany: boolean; what: string } {
  const first = leadingSource(viewpoint);
  const { subject, plural } = attributionOf(sources.get(first) ?? { title: first });
  const others = new Set(viewpoint.citations.filter((id) => id !== first)).size;
  const who = inert(subject);
  const statement = quotedIfVerbatim(viewpoint.statement, viewpoint.evidence, (text) =>
    shorten(text, isTold(evidenceQuotation(text)) ? TOLD_WORDS : VIEWPOINT_WORDS),
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
  return writingTexts.favoured(favoured, inert(subject));
}

function isOn({ evidence }: Viewpoint, others: Viewpoint['evidence']): boolean {
  return evidence.some((one) =>
    others.some((other) => one.sourceId === other.sourceId && one.start < other.end && other.start < one.end),
  );
}

/** The other side of a row of quotes rests on no finding of that row. */
function quotedIn(text: string, { evidence }: Viewpoint): Viewpoint['evidence'] {
  const cited = citedIds(text);
  return evidence.filter(({ sourceId, quote }) => cited.includes(sourceId) && text.includes(quote));
}

const CLAIM_WORDS = 60;

/** A conflict as an event tells of it; document 002's `conflict-detected`. */
export function toldConflict({ topic, viewpoints }: Conflict): {
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

const MOST_NEAREST = 5;

interface UnansweredTexts {
  notice: string;
  theme: string;
  /** The Executive Summary, with citation marks. */
  summary: string;
  gap: Gap;
}

/** Null for a report that has an answer, or whose run ended before that could be said. */
export function unansweredTexts(parts: ReportParts): UnansweredTexts | null {
  const nearest = nearestSources(parts);
  if (nearest === null) return null;
  const { question, sourcesGiven } = parts;
  const titles = new Map((parts.catalogue?.sources ?? []).map(({ id, title }) => [id, title]));
  const named = nearest.flatMap((id) => {
    const title = titles.get(id);
    return title === undefined ? [] : [`${quotation(title)} ${citationMark([id])}`];
  });
  const theme = noAnswerSentence(question);
  const given = sourcesGiven === 1 ? 'the one source' : `the ${sourcesGiven} sources`;
  return {
    notice: reportTexts.noAnswer(sourcesGiven),
    theme,
    summary: [inert(theme), ...(named.length === 0 ? [] : [reportTexts.nearest(named)])].join(' '),
    gap: { question, reason: `Nothing that could be quoted on it was found in ${given}.` },
  };
}

/** Those that the outline names, or where reading its sections gave nothing those that were most relevant to one. */
export function nearestSources({
  outline,
  noAnswer,
}: Pick<ReportParts, 'outline' | 'noAnswer'>): string[] | null {
  if (outline?.unanswered !== undefined) return outline.unanswered.nearest.slice(0, MOST_NEAREST);
  if (noAnswer !== true) return null;
  return [...relevanceOfSources(outline)]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MOST_NEAREST)
    .map(([id]) => id);
}

/** More are not read one by one; each claim carries its own confidence. */
const LISTED_FINDINGS = 12;

export interface AssessedFinding {
  finding: Finding;
  citations: ReportCitation[];
}

export interface BackedClaim {
  claim: ReportClaim;
  findingIds: string[];
}

interface Weighed {
  finding: Finding;
  citations: readonly unknown[];
}

export interface MajorFindings<Told extends Weighed = AssessedFinding> {
  /** Those from the threshold on; where there is none, those that are listed. */
  major: Told[];
  reached: boolean;
  /** From the most certain to the least. */
  listed: Told[];
  below: number;
}

export function majorFindings<Told extends Weighed>(
  told: readonly Told[],
  threshold: number,
): MajorFindings<Told> {
  const major = told.filter(({ finding }) => finding.confidence >= threshold);
  const reached = major.length > 0;
  const listed = findingsToAssess(reached ? major : told);
  return { major: reached ? major : listed, reached, listed, below: told.length - major.length };
}

/**
 * The findings that matter most to how far the report can be relied on: each section's best before any section's second,
 * those that several sources share first; shown from the most certain to the least.
 */
function findingsToAssess<Told extends Weighed>(assessed: readonly Told[]): Told[] {
  const bySection = groupedBy(assessed, ({ finding }) => finding.sectionId);
  const ranked = [...bySection.values()].map((entries) => entries.sort(byWeight));
  return inTurns(ranked).slice(0, LISTED_FINDINGS).sort(byWeight);
}

function byWeight(a: Weighed, b: Weighed): number {
  return b.finding.confidence - a.finding.confidence || b.citations.length - a.citations.length;
}

export function majorClaims(
  claims: readonly BackedClaim[],
  { major }: MajorFindings<Weighed>,
): ReportClaim[] {
  const majorIds = new Set(major.map(({ finding }) => finding.id));
  return claims
    .filter(({ findingIds }) => findingIds.some((id) => majorIds.has(id)))
    .map(({ claim }) => claim);
}

export function findingsTold(
  claims: readonly BackedClaim[],
  findings: ReadonlyMap<string, Finding>,
  citations: readonly ReportCitation[],
  numbers: CitationNumbers,
): AssessedFinding[] {
  const ids = new Set(claims.flatMap(({ findingIds }) => findingIds));
  return [...ids].flatMap((id) => {
    const finding = findings.get(id);
    if (finding === undefined) return [];
    const cited = new Set(numbersOf(finding.citations, numbers));
    return [{ finding, citations: citations.filter((citation) => cited.has(citation.n)) }];
  });
}

export interface RunNotes {
  /** Why the report is incomplete, as a paragraph in Markdown; empty where it is not. */
  incomplete: string;
  /** What else a reader has to know of the run, in the same form. */
  limits: string;
  /** All of it with what only `report.json` and the page tell, a plain sentence each. */
  all: NonNullable<Report['notices']>;
}

export function runNotes(
  parts: ReportParts,
  { cited, check, unanswered }: { cited: CitedMaterial; check: Check; unanswered: UnansweredTexts | null },
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

/** The others are told in `report.json` alone. */
const MOST_FALLBACKS = 5;

/** Why steps of a model were not done, or not whole, and what stands in their place. */
export function fallbackNotes(warnings: Report['warnings']): string[] {
  const told = warnings.flatMap(({ message, fallback }) => (fallback === undefined ? [] : [message]));
  const more = told.length - MOST_FALLBACKS;
  return more <= 0 ? told : [...told.slice(0, MOST_FALLBACKS), reportTexts.moreFallbacks(more)];
}

function paragraphOf(notes: readonly string[]): string {
  return [...new Set(notes)].map(inert).join(' ');
}

function uncheckedNote({ unchecked, stated }: Check): string[] {
  return unchecked === 0 ? [] : [reportTexts.notChecked(unchecked, stated)];
}

function searchNotes(search: SearchAccount | null): string[] {
  if (search === null) return [];
  const { indexes, queries, rounds, works } = search;
  const having = (outcome: string): number => works.filter((work) => work.outcome === outcome).length;
  const [abstracts, unread] = [having('abstract'), having('unread')];
  const read = works.length - unread;
  const told = { indexes, rounds, queries: queries.length, found: works.length, read, abstracts, unread };
  return [reportTexts.searched(told)];
}

/** A writer of a whole text is told which sources are parts of one work, and says so. */
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
