import type { Brief } from '../contracts/brief';
import type { RunEventBody } from '../contracts/event';
import type { SetAsideClaim } from '../contracts/finding';
import type { Report, ReportCitation, ReportSetAside } from '../contracts/report';
import type { SynthesisSettings } from '../contracts/run-settings';
import type { CataloguedSource, OriginalFacts, Work } from '../contracts/source';
import {
  citationMark,
  citedIds,
  createOffsetMap,
  isPlainCitation,
  replaceMarks,
} from '../lib/citation-marks';
import { groupBy } from '../lib/iterables';
import { bullets, capitalised, joinBlocks } from '../lib/strings';
import { formatQuote, stripUnsafe, toSafeLine } from '../lib/untrusted-text';
import { citationUrl } from '../lib/url';
import { shorten } from './attribution';
import { reportTexts, titleOfPart } from './report-texts';

// Citations, streamed section texts and rejected claims of a report.

type CitingReport = Pick<Report, 'citations' | 'citationStyle'>;

/** Source id → its number in the source list, from 1. */
export type CitationNumbers = ReadonlyMap<string, number>;

/** Source id → its label in square brackets: a number or an address. */
export type CitationLabels = ReadonlyMap<string, number | string>;

/** Numbers sources in the order in which the texts first cite them. Unknown ids get no number. */
export function numberCitations(
  texts: readonly string[],
  known: ReadonlyMap<string, unknown>,
): CitationNumbers {
  const ids = texts.flatMap((text) => citedIds(text)).filter((id) => known.has(id));
  return new Map([...new Set(ids)].map((id, index) => [id, index + 1]));
}

/** A source without a web address is cited by its number in either style. */
export function labelCitations(
  numbers: CitationNumbers,
  sources: ReadonlyMap<string, { url: string | null }>,
  style: SynthesisSettings['citationStyle'],
): CitationLabels {
  if (style === 'numbered') return numbers;
  return new Map([...numbers].map(([id, n]) => [id, citationUrl(sources.get(id)?.url ?? null) ?? n]));
}

export function reportLabels({ citations, citationStyle }: CitingReport): CitationLabels {
  const numbers = new Map(citations.map(({ sourceId, n }) => [sourceId, n]));
  const sources = new Map(citations.map((citation) => [citation.sourceId, citation]));
  return labelCitations(numbers, sources, citationStyle);
}

/** `[@a; @b]` becomes `[1][2]`. An id without a label is dropped, because it is not one of the run's sources. */
export function renderCitations(text: string, labels: CitationLabels): string {
  return renderWithOffsets(text, labels).rendered;
}

/** `offsetOf` converts an offset outside a mark to an offset in the rendered text. */
export function renderWithOffsets(
  text: string,
  labels: CitationLabels,
): { rendered: string; offsetOf: (offset: number) => number } {
  const shifts = createOffsetMap();
  const rendered = replaceMarks(text, (ids, start, end) => {
    const marks = labelMarks(ids, labels);
    const closed = marks === '' || isPlainCitation(marks, text, start, end) ? marks : `${marks} `;
    return shifts.put(closed, start, end);
  });
  return { rendered, offsetOf: shifts.offsetOf };
}

/** `[1][2]`, without repeats. Addresses are separated by a space, so that a renderer does not make one link of both. */
export function labelMarks(ids: readonly string[], labels: CitationLabels): string {
  const known = [...new Set(ids)].flatMap((id) => labels.get(id) ?? []);
  return known.map((label) => `[${label}]`).join(known.some((label) => typeof label === 'string') ? ' ' : '');
}

/** Without repeats, in the order given. */
export function numbersOf(ids: readonly string[], numbers: CitationNumbers): number[] {
  return [...new Set(ids)].flatMap((id) => numbers.get(id) ?? []);
}

export function reportCitations(
  texts: readonly string[],
  numbers: CitationNumbers,
  sources: ReadonlyMap<string, CataloguedSource>,
  readInFull: ReadonlySet<string>,
): ReportCitation[] {
  const uses = citationUses(texts);
  return [...numbers].flatMap(([sourceId, n]): ReportCitation[] => {
    const source = sources.get(sourceId);
    if (source === undefined) return [];
    const { url, title, file, author, site, publishedAt, accessedAt, quality } = source;
    const { retracted, abstractOnly, work } = source;
    const versionOf = source.versionOf === undefined ? undefined : numbers.get(source.versionOf);
    return [
      {
        n,
        sourceId,
        url,
        title,
        ...(file === undefined ? {} : { file }),
        author,
        site,
        publishedAt,
        accessedAt,
        ...originalFacts(source),
        quality: { ...quality, reason: quality.reason },
        timesCited: uses.get(sourceId) ?? 0,
        readInFull: readInFull.has(sourceId),
        ...(retracted === undefined ? {} : { retracted }),
        ...(abstractOnly === undefined ? {} : { abstractOnly }),
        ...(versionOf === undefined ? {} : { versionOfN: versionOf }),
        ...(work === undefined ? {} : { work }),
      },
    ];
  });
}

export function citationUses(texts: readonly string[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const id of texts.flatMap((text) => citedIds(text))) uses.set(id, (uses.get(id) ?? 0) + 1);
  return uses;
}

type OfWork = Pick<ReportCitation, 'sourceId' | 'work'>;

export function countWorks(citations: readonly OfWork[]): number {
  return new Set(citations.map(rootOf)).size;
}

/** Groups sources by work, in the order of first parts. A source without a work is a group of its own. */
export function byWork<Cited extends OfWork>(
  citations: readonly Cited[],
): { work: Work | undefined; parts: Cited[] }[] {
  return [...groupBy(citations, rootOf).values()].map((parts) => ({ work: parts[0]?.work, parts }));
}

function rootOf({ sourceId, work }: OfWork): string {
  return work?.id ?? sourceId;
}

/** Quotes keep their source text character by character. */
const VERBATIM_KEY = 'quote';

/** Removes invisible and control characters from all strings except quotes. */
export function visibleStrings<Value>(value: Value): Value {
  // The shape stays the same: strings become strings.
  return visibleValue(value) as Value;
}

function visibleValue(value: unknown): unknown {
  if (typeof value === 'string') return stripUnsafe(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === VERBATIM_KEY ? part : visibleValue(part)]),
  );
}

export interface SectionText {
  generation: number;
  /** Offset of `text` in the section's text: 0, unless the events began in the middle. UTF-16 units. */
  start: number;
  /** Markdown; citations are marks, `[@id]` or `[@id; @id]`. */
  text: string;
  /** True if the text is complete; then only a newer generation changes it. */
  isWritten: boolean;
}

/** By section id, in order of first appearance. */
export type SectionTexts = ReadonlyMap<string, SectionText>;

export function sectionTexts(events: Iterable<RunEventBody>): SectionTexts {
  let texts: SectionTexts = new Map();
  for (const event of events) texts = sectionTextsAfter(texts, event);
  return texts;
}

/** Applies one event. A repeated event changes nothing. After missing events, the text restarts behind the gap with a new `start`. */
export function sectionTextsAfter(texts: SectionTexts, event: RunEventBody): SectionTexts {
  switch (event.type) {
    case 'section-restarted': {
      const { section, generation } = event.payload;
      const known = texts.get(section);
      if (known !== undefined && generation <= known.generation) return texts;
      return new Map(texts).set(section, { generation, start: 0, text: '', isWritten: false });
    }
    case 'content-chunk': {
      const { section, generation, offset, text } = event.payload;
      const known = texts.get(section);
      const grown = appendChunk(known, { generation, start: offset, text, isWritten: false });
      return grown === known ? texts : new Map(texts).set(section, grown);
    }
    case 'section-written': {
      const { section, generation, chars } = event.payload;
      const known = texts.get(section) ?? { generation, start: 0, text: '', isWritten: false };
      const isTold = known.generation === generation && known.start + known.text.length >= chars;
      if (!isTold || known.isWritten) return texts;
      // A writer that was declared dead may have sent more; the completed length counts.
      const text = known.text.slice(0, Math.max(0, chars - known.start));
      return new Map(texts).set(section, { ...known, text, isWritten: true });
    }
    default:
      return texts;
  }
}

function appendChunk(known: SectionText | undefined, chunk: SectionText): SectionText {
  if (known === undefined || chunk.generation > known.generation) return chunk;
  if (chunk.generation < known.generation || known.isWritten) return known;
  const end = known.start + known.text.length;
  if (chunk.start > end) return chunk;
  const further = chunk.text.slice(end - chunk.start);
  return further === '' ? known : { ...known, text: known.text + further };
}

export function withReportCitations(text: string, report: CitingReport): string {
  return renderCitations(text, reportLabels(report));
}

/** Ids of the report's sections whose text from events differs from the report's; empty if all are equal. */
export function sectionsUnlikeReport(
  texts: SectionTexts,
  report: CitingReport & Pick<Report, 'sections'>,
): string[] {
  return report.sections
    .filter(({ id, markdown }) => {
      const told = texts.get(id);
      return told?.start !== 0 || withReportCitations(told.text, report) !== markdown;
    })
    .map(({ id }) => id);
}

const QUOTE_WORDS = 60;

export const SET_ASIDE_FILE = 'set-aside.md';

/** Rejected claims of a report as Markdown for their own file; null if there are none. */
export function rejectedClaimsOfReport(report: Report): string | null {
  const titleOf = titleOfPart(report.sections);
  return rejectedClaimsMarkdown({
    title: report.title,
    claims: report.setAside.map((claim) => ({ ...claim, part: titleOf(claim.sectionId) })),
    citations: report.citations,
    labels: reportLabels(report),
  });
}

export function rejectedClaimsOfBrief({ title, parts, setAside, citations }: Brief): string | null {
  const titles = new Map(parts.map((part) => [part.id, part.title]));
  const numbers = new Map(citations.map(({ sourceId, n }) => [sourceId, n]));
  return rejectedClaimsMarkdown({
    title,
    claims: setAside.map(({ partId, from, ...claim }) => {
      const part = titles.get(partId) ?? partId;
      return { ...claim, part: from === 'summary' ? reportTexts.setAside.ofSummary(part) : part };
    }),
    citations,
    labels: labelCitations(numbers, new Map(), 'numbered'),
  });
}

interface RejectedClaimList {
  title: string;
  claims: readonly (Omit<ReportSetAside, 'sectionId' | 'citations'> & { part: string })[];
  citations: readonly { n: number; sourceId: string; title: string; url: string | null }[];
  labels: CitationLabels;
}

function rejectedClaimsMarkdown({ title, claims, citations, labels }: RejectedClaimList): string | null {
  const { setAside, headings } = reportTexts;
  if (claims.length === 0) return null;
  const named = rejectedClaimSources(claims);
  // A source that only rejected claims cite has no number and is shown by its id.
  const all: CitationLabels = new Map([...named.map((id) => [id, toSafeLine(id)] as const), ...labels]);
  const sources = citations.filter(({ sourceId }) => named.includes(sourceId));
  const parts = [...groupBy(claims, ({ part }) => part)].flatMap(([part, own]) => [
    `## ${toSafeLine(part)}`,
    bullets(own.map((claim) => renderCitations(rejectedClaimLine(claim, setAside), all))),
  ]);
  return joinBlocks([
    `# ${setAside.title(toSafeLine(title))}`,
    `> ${setAside.notice}`,
    ...parts,
    ...(sources.length === 0 ? [] : [`## ${headings.sources}`, bullets(sources.map(sourceLine))]),
  ]);
}

function rejectedClaimLine(
  { id, text, sourceIds, verdict, reason, evidence, betterSourceId }: RejectedClaimList['claims'][number],
  { verdicts, lookedAt, better, leftOut }: (typeof reportTexts)['setAside'],
): string {
  const cites = sourceIds.length === 0 ? '' : ` ${citationMark(sourceIds)}`;
  const parts = [
    `**${id}**, ${verdicts[verdict]}: ${formatQuote(text)}${cites}.`,
    capitalised(toSafeLine(reason)).replace(/\.?$/, '.'),
    evidence === null
      ? ''
      : lookedAt(`${formatQuote(shorten(evidence.quote, QUOTE_WORDS))} ${citationMark([evidence.sourceId])}`),
    betterSourceId === undefined ? '' : better(citationMark([betterSourceId])),
    leftOut,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function sourceLine({ n, title, url }: RejectedClaimList['citations'][number]): string {
  const address = citationUrl(url);
  return `[${n}] ${formatQuote(title)}${address === null ? '' : ` <${address}>`}`;
}

export type NumberedRejectedClaim = Omit<ReportSetAside, 'citations'>;

export function numberRejectedClaims(
  texts: readonly { sectionId: string; setAside: readonly SetAsideClaim[] }[],
): NumberedRejectedClaim[] {
  return texts
    .flatMap(({ sectionId, setAside }) => setAside.map((claim) => ({ ...claim, sectionId })))
    .map((claim, at) => ({ id: `A${at + 1}`, ...claim }));
}

/** Sources of rejected claims: the cited ones, the nearest one, and the one that supports the claim better. */
export function rejectedClaimSources(setAside: readonly Omit<SetAsideClaim, 'action'>[]): string[] {
  return setAside.flatMap(({ sourceIds, evidence, betterSourceId }) => [
    ...sourceIds,
    ...(evidence === null ? [] : [evidence.sourceId]),
    ...(betterSourceId === undefined ? [] : [betterSourceId]),
  ]);
}

export function originalFacts({ license, language, mediaType, sha256 }: OriginalFacts): OriginalFacts {
  return Object.fromEntries(
    Object.entries({ license, language, mediaType, sha256 }).filter(([, fact]) => fact !== undefined),
  );
}
