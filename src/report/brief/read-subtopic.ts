import { z } from 'zod';
import { BriefMaterial, type StatementPlace } from '../../contracts/brief';
import { Confidence } from '../../contracts/finding';
import type { Warning } from '../../contracts/run';
import type { ArtifactRef, OriginalFacts, Page } from '../../contracts/source';
import type { GivenSource } from '../../contracts/start';
import { count } from '../../contracts/wording';
import { normaliseUrl } from '../../evidence/source-records';
import { distinctBy } from '../../lib/iterables';
import { stripUnsafe } from '../../lib/untrusted-text';
import { tokensOf } from '../../text/sentences';
import { terms } from '../../text/words';
import { originalFacts } from '../citations';
import type { BibliographyEntry, CitedReport, CitedStatement } from '../cited-markdown/cited-statements';
import { type Block, parseBlocks } from '../cited-markdown/markdown-tree';
import { type MatchedBy, matchSources, type SourceMatch } from '../cited-markdown/match-sources';
import { readCitedReport } from '../cited-markdown/read-cited-report';

/** Match kinds by which an entry with an address is a given source, in any form of the address. */
const SAME_PAGE_MATCHES: readonly (MatchedBy | null)[] = ['address', 'page', 'doi'];

export interface ReadSubtopic {
  id: string;
  statements: CitedSentence[];
  /** In the order of the summary, with repeats: each place may add facts about a source. */
  named: NamedSource[];
  listed: NamedSource[];
  warnings: Warning[];
}

/** Shorter sentences are labels. */
const MIN_WORDS = 3;
/** Longer ones have no sentence end, such as a list without full stops. */
const MAX_SENTENCE_CHARS = 2_000;
const SITE = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu;

/** Sentences of a summary with their cited sources. Headings, tables, code and the summary's own source list are skipped. */
export function readSubtopic(subtopic: SubtopicToRead): ReadSubtopic {
  const { id, summary } = subtopic;
  const numbers = numberedSources(subtopic);
  const report = readSummary(summary, numbers.numbered.length);
  const sources = resolveCitations(report, numbers, summary.length);
  const named = sources.filter((source) => source !== null);
  const listed = [...numbers.numbered, ...numbers.records];
  const paragraphs = parseBlocks(summary).filter(({ kind }) => kind === 'paragraph');
  const sentences = report.statements.flatMap((statement) => {
    const paragraph = paragraphs.findIndex((block) => containsStatement(block, statement));
    if (paragraph < 0 || !isStatement(statement.plain) || statement.plain.length > MAX_SENTENCE_CHARS)
      return [];
    const { start, end } = statement;
    const plain = stripUnsafe(statement.plain).trim();
    const keys = statement.citations.flatMap((at) => sources[at]?.key ?? []);
    return [{ plain, place: { subtopicId: id, paragraph, start, end }, keys: [...new Set(keys)] }];
  });
  const all = [...new Set([...named, ...listed].map(({ key }) => key))];
  return {
    id,
    statements: all.length === 0 ? [] : citedStatements(sentences, all),
    named,
    listed,
    warnings: unreadWarnings(subtopic, report, {
      sources,
      sentences: sentences.length,
      endless: report.statements.filter(({ plain }) => plain.length > MAX_SENTENCE_CHARS),
      isCiting: all.length > 0,
    }),
  };
}

function containsStatement({ start, end }: Block, statement: CitedStatement): boolean {
  return statement.start >= start && statement.start < end;
}

/** False for a question, a label, and a lead-in to a list or a site. */
function isStatement(plain: string): boolean {
  if (/[?？:：]["'”’)]*$/.test(plain) || tokensOf(plain).length < MIN_WORDS) return false;
  const apart = plain.replace(SITE, ' ');
  return apart === plain || terms(apart).length > 0;
}

/**
 * Reads a summary as a report, with the numbers of the given list appended so that its marks resolve. Citations behind the summary's end
 * belong to that list. Numbers in the summary's own list and numbers that are links keep their targets.
 */
function readSummary(summary: string, sources: number): CitedReport {
  const alone = readCitedReport(summary);
  const own = new Set([...alone.entries.map(({ label }) => label), ...linkedNumbers(summary)]);
  const written = new Set(numbersIn(summary));
  const lines = Array.from({ length: sources }, (_, at) => `${at + 1}`)
    .filter((label) => !own.has(label) && written.has(label))
    .map((label) => `[${label}] https://source.invalid/${label}`);
  const report =
    lines.length === 0 ? alone : readCitedReport(`${summary}${SOURCE_LIST_HEADING}${lines.join('\n')}\n`);
  return report;
}

const SOURCE_LIST_HEADING = '\n\n## Sources\n\n';

function numbersIn(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(/\d+/g)].map(([number]) => `${Number(number)}`);
}

/** `[1](https://…)`, `[[1]](https://…)`. */
function linkedNumbers(text: string): string[] {
  return [...text.matchAll(/\[(\d+)\]{1,2}\(https?:/g)].map(([, number]) => `${Number(number)}`);
}

interface ReadOutcome {
  sources: readonly (NamedSource | null)[];
  sentences: number;
  endless: readonly CitedStatement[];
  isCiting: boolean;
}

function unreadWarnings(
  { id, title, summary }: SubtopicToRead,
  { citations, unread }: CitedReport,
  { sources, sentences, endless, isCiting }: ReadOutcome,
): Warning[] {
  const named = `${id} (${title})`;
  const lost = new Set(citations.flatMap(({ label }, at) => (sources[at] === null ? [label] : [])));
  const warnings: Warning[] = [];
  if (lost.size > 0)
    warnings.push({
      code: 'citation-unknown',
      message: `${named}: its summary cites ${[...lost].join(', ')}, which ${lost.size === 1 ? 'is none' : 'are none'} of its sources; ${lost.size === 1 ? 'the mark is' : 'the marks are'} left out.`,
    });
  for (const part of unread) {
    if (part.start >= summary.length) continue;
    warnings.push({
      code: 'summary-not-read',
      message: `${named}: what stands on line ${part.line} of its summary is ${part.kind === 'html' ? 'HTML' : 'code'}, and is not read.`,
    });
  }
  for (const { line, plain } of endless)
    warnings.push({
      code: 'summary-not-read',
      message: `${named}: what begins on line ${line} of its summary goes on for ${count(plain.length, 'character')} without the end of a sentence, and is left out.`,
    });
  if (sentences === 0)
    warnings.push({
      code: 'summary-says-nothing',
      message: `${named}: its summary has no sentence that states anything; headings, tables, code and blocks of HTML are not read as sentences.`,
    });
  else if (!isCiting)
    warnings.push({
      code: 'summary-cites-nothing',
      message: `${named}: it names no source, so that ${count(sentences, 'sentence')} cannot be cited and ${sentences === 1 ? 'is' : 'are'} left out.`,
    });
  return warnings;
}

/** The source of each citation, or null. The summary's own list, which ends at `summaryEnd`, takes precedence over the given list. */
function resolveCitations(
  { citations, entries }: CitedReport,
  { numbered, records }: NumberedSources,
  summaryEnd: number,
): (NamedSource | null)[] {
  const given = distinctBy([...records, ...numbered], ({ key }) => key);
  const own = entries.filter(({ start }) => start < summaryEnd);
  const matches = matchSources(
    own,
    given.map(({ key, url, title = null, author = null, publishedAt = null }) => ({
      id: key,
      url,
      title,
      author,
      publishedAt,
    })),
  );
  const byKey = new Map(given.map((source) => [source.key, source]));
  const matchOf = new Map(own.map((entry, at) => [entry, matches[at]]));
  const ofEntry = entries.map((entry) =>
    entrySource(entry, matchOf.get(entry), { numbered, byKey, summaryEnd }),
  );
  return citations.map((citation) => {
    if (citation.entry !== null) return ofEntry[citation.entry] ?? null;
    return numbered[Number(citation.label) - 1] ?? null;
  });
}

interface KnownSources {
  numbered: readonly NamedSource[];
  byKey: ReadonlyMap<string, NamedSource>;
  summaryEnd: number;
}

function entrySource(
  entry: BibliographyEntry,
  match: SourceMatch | undefined,
  { numbered, byKey, summaryEnd }: KnownSources,
): NamedSource | null {
  const { url, label, start } = entry;
  const byNumber = label === null ? undefined : numbered[Number(label) - 1];
  if (start >= summaryEnd) return byNumber ?? null;
  const isSame = url === null || SAME_PAGE_MATCHES.includes(match?.how ?? null);
  const given = isSame && match?.source ? byKey.get(match.source) : undefined;
  if (given !== undefined) return withSummaryFacts(given, entry);
  if (url !== null) return withSummaryFacts(sourceFromAddress(url), entry);
  if (byNumber !== undefined) return withSummaryFacts(byNumber, entry);
  const title = entry.title ?? (entry.author === null && entry.year === null ? null : entry.text);
  return title === null ? null : withSummaryFacts(sourceFromTitle(title), entry);
}

/** Adds the summary's facts. Author and date are too uncertain next to an address. */
function withSummaryFacts(
  source: NamedSource,
  { url, title, author, year, origin }: BibliographyEntry,
): NamedSource {
  const written = { title: source.title ?? title ?? undefined };
  if (origin === 'link') return { ...source, words: title ?? undefined };
  if (url !== null) return { ...source, ...written };
  return {
    ...source,
    ...written,
    author: source.author ?? author ?? undefined,
    publishedAt: source.publishedAt ?? year ?? undefined,
  };
}

interface NumberedSources {
  /** `[2]` is the second; one source may have two numbers. */
  numbered: NamedSource[];
  records: NamedSource[];
}

function numberedSources({ citations = [], sources = [] }: SubtopicToRead): NumberedSources {
  const records = sources.map(sourceFromRecord);
  return { numbered: citations.length > 0 ? citations.map(sourceFromAddress) : records, records };
}

/** Facts about a source from one place: a record, an entry of a summary's list, a link, or an address. */
export interface NamedSource extends OriginalFacts {
  key: string;
  url: string | null;
  title?: string | undefined;
  file?: string | undefined;
  words?: string | undefined;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
  contentRef: ArtifactRef | null;
  contentChars: number;
  pages?: Page[] | undefined;
}

function sourceFromAddress(url: string): NamedSource {
  return { key: addressKey(url), url, contentRef: null, contentChars: 0 };
}

function sourceFromTitle(title: string): NamedSource {
  return { key: titleKey(title, null), url: null, title, contentRef: null, contentChars: 0 };
}

function sourceFromRecord(source: ListedSource): NamedSource {
  const { url, title, file, author, site, publishedAt, accessedAt } = source;
  const { contentRef, contentChars, pages } = source;
  const name = title ?? file;
  return {
    key: url === undefined ? titleKey(name ?? '', contentRef) : addressKey(url),
    url: url ?? null,
    title: name,
    file,
    author,
    site,
    publishedAt,
    accessedAt,
    ...originalFacts(source),
    contentRef,
    contentChars,
    pages,
  };
}

function addressKey(url: string): string {
  return normaliseUrl(/^www\./i.test(url) ? `https://${url}` : url);
}

function titleKey(title: string, contentRef: ArtifactRef | null): string {
  return `${title} ${contentRef ?? ''}`;
}

/** `keys` are the sources that the sentence itself cites. */
export interface ReadSentence {
  plain: string;
  place: StatementPlace;
  keys: string[];
}

/** Origin of a sentence's marks: its own, a neighbour's, or all of its subtopic. */
export type MarkedBy = 'itself' | 'neighbour' | 'subtopic';

interface CitedSentence extends ReadSentence {
  markedBy: MarkedBy;
}

/** A sentence without a mark takes those of the next cited sentence of its paragraph, else of the previous one, else of its subtopic. */
function citedStatements(sentences: readonly ReadSentence[], all: readonly string[]): CitedSentence[] {
  return sentences.map((sentence, at) => {
    if (sentence.keys.length > 0) return { ...sentence, markedBy: 'itself' };
    const isNear = ({ place, keys }: ReadSentence): boolean =>
      place.paragraph === sentence.place.paragraph && keys.length > 0;
    const near = sentences.slice(at + 1).find(isNear) ?? sentences.slice(0, at).findLast(isNear);
    return near === undefined
      ? { ...sentence, keys: [...all], markedBy: 'subtopic' }
      : { ...sentence, keys: near.keys, markedBy: 'neighbour' };
  });
}

export interface ListedSource extends Omit<GivenSource, 'content'> {
  /** Null if no text was given. */
  contentRef: ArtifactRef | null;
  contentChars: number;
}

export interface SubtopicToRead {
  /** `subtopic-1` and so on. */
  id: string;
  title: string;
  summary: string;
  summaryRef: ArtifactRef;
  citations?: string[] | undefined;
  sources?: ListedSource[] | undefined;
}

/** Material with the fields that only its preparation needs; others read it as `BriefMaterial`. */
export const GatheredMaterial = BriefMaterial.extend({
  /** By finding id: the confidence before the comparison with other findings. */
  ownConfidence: z.record(z.string(), Confidence),
  /** Findings without marks of their own; their sources are inferred from their neighbours. */
  unmarked: z.array(z.string()),
});
export type GatheredMaterial = z.infer<typeof GatheredMaterial>;
