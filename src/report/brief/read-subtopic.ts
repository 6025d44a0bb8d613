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
import { type Block, blocksOf } from '../cited-markdown/markdown-tree';
import { type MatchedBy, matchSources, type SourceMatch } from '../cited-markdown/match-sources';
import { readCitedReport } from '../cited-markdown/read-cited-report';

/** By these an entry that has an address is a source that was given, whatever form its address has. */
const SAME_PAGE: readonly (MatchedBy | null)[] = ['address', 'page', 'doi'];

export interface ReadSubtopic {
  id: string;
  statements: CitedSentence[];
  /** In the order in which its summary names them, with repeats: each place may tell more of a source. */
  named: NamedSource[];
  /** Of its lists, in their order. */
  listed: NamedSource[];
  warnings: Warning[];
}

/** What is shorter is a label. */
const FEWEST_WORDS = 3;
/** What is longer was never ended: a list without stops, a text without sentences. */
const LONGEST_CHARS = 2_000;
const SITE = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu;

/** The sentences of a summary with the sources that each cites. Headings, tables, code and its own list of sources state nothing. */
export function readSubtopic(subtopic: SubtopicToRead): ReadSubtopic {
  const { id, summary } = subtopic;
  const numbers = numberedSources(subtopic);
  const report = readSummary(summary, numbers.numbered.length);
  const sources = resolveCitations(report, numbers, summary.length);
  const named = sources.filter((source) => source !== null);
  const listed = [...numbers.numbered, ...numbers.records];
  const paragraphs = blocksOf(summary).filter(({ kind }) => kind === 'paragraph');
  const sentences = report.statements.flatMap((statement) => {
    const paragraph = paragraphs.findIndex((block) => holds(block, statement));
    if (paragraph < 0 || !states(statement.plain) || statement.plain.length > LONGEST_CHARS) return [];
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
      endless: report.statements.filter(({ plain }) => plain.length > LONGEST_CHARS),
      isCiting: all.length > 0,
    }),
  };
}

function holds({ start, end }: Block, statement: CitedStatement): boolean {
  return statement.start >= start && statement.start < end;
}

/** Neither a question, nor a label, nor what only leads to what follows or to a site. */
function states(plain: string): boolean {
  if (/[?？:：]["'”’)]*$/.test(plain) || tokensOf(plain).length < FEWEST_WORDS) return false;
  const apart = plain.replace(SITE, ' ');
  return apart === plain || terms(apart).length > 0;
}

/**
 * A summary read as a report is, with the numbers of its list given to it, so that its marks are known for what they are. What
 * lies behind the summary's end is of that list. Numbers that the summary's own list has stay with that, and those that are links
 * lead where they link to.
 */
function readSummary(summary: string, sources: number): CitedReport {
  const alone = readCitedReport(summary);
  const own = new Set([...alone.entries.map(({ label }) => label), ...linkedNumbers(summary)]);
  const written = new Set(numbersIn(summary));
  const lines = Array.from({ length: sources }, (_, at) => `${at + 1}`)
    .filter((label) => !own.has(label) && written.has(label))
    .map((label) => `[${label}] https://source.invalid/${label}`);
  const report = lines.length === 0 ? alone : readCitedReport(`${summary}${LIST}${lines.join('\n')}\n`);
  return report;
}

const LIST = '\n\n## Sources\n\n';

function numbersIn(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(/\d+/g)].map(([number]) => `${Number(number)}`);
}

/** `[1](https://…)`, `[[1]](https://…)`. */
function linkedNumbers(text: string): string[] {
  return [...text.matchAll(/\[(\d+)\]{1,2}\(https?:/g)].map(([, number]) => `${Number(number)}`);
}

interface Outcome {
  /** Of each citation. */
  sources: readonly (NamedSource | null)[];
  sentences: number;
  endless: readonly CitedStatement[];
  isCiting: boolean;
}

function unreadWarnings(
  { id, title, summary }: SubtopicToRead,
  { citations, unread }: CitedReport,
  { sources, sentences, endless, isCiting }: Outcome,
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

/**
 * Which source each citation of a summary means, by its place among them; null where there is none. What the summary's own list
 * says stands before the numbers of the list that was given with it; `summaryEnd` is where the former ends.
 */
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
    sourceOf(entry, matchOf.get(entry), { numbered, byKey, summaryEnd }),
  );
  return citations.map((citation) => {
    if (citation.entry !== null) return ofEntry[citation.entry] ?? null;
    return numbered[Number(citation.label) - 1] ?? null;
  });
}

interface Known {
  numbered: readonly NamedSource[];
  byKey: ReadonlyMap<string, NamedSource>;
  summaryEnd: number;
}

function sourceOf(
  entry: BibliographyEntry,
  match: SourceMatch | undefined,
  { numbered, byKey, summaryEnd }: Known,
): NamedSource | null {
  const { url, label, start } = entry;
  const byNumber = label === null ? undefined : numbered[Number(label) - 1];
  if (start >= summaryEnd) return byNumber ?? null;
  const isSame = url === null || SAME_PAGE.includes(match?.how ?? null);
  const given = isSame && match?.source ? byKey.get(match.source) : undefined;
  if (given !== undefined) return told(given, entry);
  if (url !== null) return told(namedByAddress(url), entry);
  if (byNumber !== undefined) return told(byNumber, entry);
  const title = entry.title ?? (entry.author === null && entry.year === null ? null : entry.text);
  return title === null ? null : told(namedByTitle(title), entry);
}

/** With what the summary says of it: who wrote it, and when, cannot be told for sure beside an address. */
function told(source: NamedSource, { url, title, author, year, origin }: BibliographyEntry): NamedSource {
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

/** The sources of a subtopic by the numbers that its summary cites them by, and all that is said of any of them. */
interface NumberedSources {
  /** `[2]` is the second; one source may stand under two numbers. */
  numbered: NamedSource[];
  records: NamedSource[];
}

function numberedSources({ citations = [], sources = [] }: SubtopicToRead): NumberedSources {
  const records = sources.map(namedByRecord);
  return { numbered: citations.length > 0 ? citations.map(namedByAddress) : records, records };
}

/** What one place says of a source: a record, an entry of a summary's own list, a link, an address alone. */
export interface NamedSource extends OriginalFacts {
  /** The same for the same source, wherever it is named. */
  key: string;
  url: string | null;
  title?: string | undefined;
  /** What a summary calls it where it links to it. */
  words?: string | undefined;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
  contentRef: ArtifactRef | null;
  contentChars: number;
  pages?: Page[] | undefined;
}

function namedByAddress(url: string): NamedSource {
  return { key: addressKey(url), url, contentRef: null, contentChars: 0 };
}

function namedByTitle(title: string): NamedSource {
  return { key: titleKey(title, null), url: null, title, contentRef: null, contentChars: 0 };
}

function namedByRecord(source: ListedSource): NamedSource {
  const { url, title, file, author, site, publishedAt, accessedAt } = source;
  const { contentRef, contentChars, pages } = source;
  const name = title ?? file;
  return {
    key: url === undefined ? titleKey(name ?? '', contentRef) : addressKey(url),
    url: url ?? null,
    title: name,
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

/** A sentence of a summary as it was read; `keys` are the sources that it cites itself. */
export interface ReadSentence {
  plain: string;
  place: StatementPlace;
  keys: string[];
}

/** Whose marks a sentence has: its own, those of a neighbour, or all that its subtopic has. */
export type MarkedBy = 'itself' | 'neighbour' | 'subtopic';

interface CitedSentence extends ReadSentence {
  markedBy: MarkedBy;
}

/**
 * A sentence without a mark takes those of the next cited sentence of its paragraph, else of the one before it there, else all
 * of its subtopic.
 */
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

/** A source as a subtopic gives it; its text lies in the content store. */
export interface ListedSource extends Omit<GivenSource, 'content'> {
  /** Null where no text was given. */
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

/** The material of a brief with what only its making needs. Others read it as `BriefMaterial`. */
export const GatheredMaterial = BriefMaterial.extend({
  /** By the finding's id: how sure it was before it was held against others. */
  ownConfidence: z.record(z.string(), Confidence),
  /** The findings that have no mark of their own: which sources they rest on was concluded from what stands around them. */
  unmarked: z.array(z.string()),
});
export type GatheredMaterial = z.infer<typeof GatheredMaterial>;
