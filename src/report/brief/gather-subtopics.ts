import { createHash } from 'node:crypto';
import type { BriefSource, BriefSubtopic } from '../../contracts/brief';
import type { Finding } from '../../contracts/finding';
import { judgeSentence } from '../../evidence/claim-alignment';
import { rateSource } from '../../evidence/source-records';
import { groupBy } from '../../lib/iterables';
import { stripUnsafe } from '../../lib/untrusted-text';
import { parseUrl } from '../../lib/url';
import {
  createSignatureTable,
  NEAR_DUPLICATE_SIMILARITY,
  nearDuplicateCandidates,
  sentenceKey,
  setSignature,
  setSimilarity,
  shingleSet,
  signatureOf,
} from '../../text/duplicates';
import { originalFacts } from '../citations';
import { type GatheredMaterial, type NamedSource, readSubtopic, type SubtopicToRead } from './read-subtopic';
import {
  compareStatements,
  statementConfidence,
  type SubtopicStatement,
  titleOfAddress,
} from './subtopic-conflicts';

export interface SubtopicsToGather {
  question: string;
  subtopics: readonly SubtopicToRead[];
  asOf: string;
}

export function gatherSubtopics({ question, subtopics, asOf }: SubtopicsToGather): GatheredMaterial {
  const read = subtopics.map(readSubtopic);
  const { sources, idOf } = sourceIndex(
    [...read.flatMap(({ named }) => named), ...read.flatMap(({ listed }) => listed)],
    asOf,
  );
  const byId = new Map(sources.map((source) => [source.id, source]));
  const stated = mergeRepeats(
    read.flatMap(({ statements }) =>
      statements.map(({ plain, place, keys, markedBy }): SubtopicStatement => ({
        plain,
        places: [place],
        markedBy,
        citations: keys.flatMap((key) => idOf.get(key) ?? []),
      })),
    ),
  );
  const ofSubtopics = groupBy(stated, ({ places: [own] }) => own?.subtopicId ?? '');
  const numbered = [...ofSubtopics].flatMap(([sectionId, own]) =>
    own.map((statement, at) => ({ id: `${sectionId}-finding-${at + 1}`, sectionId, statement })),
  );
  const alone = numbered.map(({ id, sectionId, statement }): Omit<Finding, 'evidence'> => ({
    id,
    sectionId,
    claim: statement.plain,
    citations: statement.citations,
    confidence: statementConfidence(statement, byId),
  }));
  const { findings, held, conflicts } = compareStatements(question, alone, sources);
  return {
    subtopics: subtopics.map(({ id, title, summaryRef }, at): BriefSubtopic => ({
      id,
      title: stripUnsafe(title).trim(),
      summaryRef,
      words: countStatementWords(read[at]?.statements ?? []),
      findings: findings.filter(({ sectionId }) => sectionId === id),
    })),
    conflicts,
    sources,
    held,
    places: Object.fromEntries(numbered.map(({ id, statement }) => [id, statement.places])),
    checks: {},
    setAside: [],
    warnings: read.flatMap(({ warnings }) => warnings),
    ownConfidence: Object.fromEntries(alone.map(({ id, confidence }) => [id, confidence])),
    unmarked: numbered.flatMap(({ id, statement }) => (statement.markedBy === 'itself' ? [] : [id])),
  };
}

/** Words between white space, as the length of a brief is counted. */
function countStatementWords(statements: readonly { plain: string }[]): number {
  return statements.reduce((sum, { plain }) => sum + plain.split(/\s+/).length, 0);
}

/** Near-duplicates are merged only if each keeps to the words of the other: another number or name makes another statement. */
function mergeRepeats(statements: readonly SubtopicStatement[]): SubtopicStatement[] {
  const merged = new Map<number, SubtopicStatement>();
  const firstOf = firstOccurrences(statements);
  for (const [at, statement] of statements.entries()) {
    const first = firstOf.get(at) ?? at;
    const known = merged.get(first);
    merged.set(first, known === undefined ? statement : mergeStatements(known, statement));
  }
  return [...merged.values()];
}

/** A sentence's own marks are more exact than those of its whole subtopic. */
function mergeStatements(first: SubtopicStatement, other: SubtopicStatement): SubtopicStatement {
  const places = [...first.places, ...other.places];
  if (first.markedBy === 'subtopic' && other.markedBy !== 'subtopic')
    return { ...first, places, citations: other.citations, markedBy: other.markedBy };
  if (other.markedBy === 'subtopic' && first.markedBy !== 'subtopic') return { ...first, places };
  const markedBy = first.markedBy === 'neighbour' ? other.markedBy : first.markedBy;
  return { ...first, places, citations: [...new Set([...first.citations, ...other.citations])], markedBy };
}

/** For each repeated statement, the index of its first occurrence. */
function firstOccurrences(statements: readonly SubtopicStatement[]): Map<number, number> {
  const firstOf = new Map<number, number>();
  const keys = new Map<string, number>();
  const table = createSignatureTable(statements.length);
  for (const [at, { plain }] of statements.entries()) {
    const key = sentenceKey(plain);
    const known = keys.get(key);
    if (known === undefined) keys.set(key, at);
    else firstOf.set(at, known);
    if (known === undefined) setSignature(table, at, signatureOf(plain));
  }
  const { partners, ends } = nearDuplicateCandidates(table);
  for (const [at, statement] of statements.entries()) {
    if (firstOf.has(at)) continue;
    const own = [...partners.subarray(ends[at - 1] ?? 0, ends[at])].filter(
      (partner) => !firstOf.has(partner),
    );
    const first = own.find((partner) => isParaphrase(statement.plain, statements[partner]?.plain ?? ''));
    if (first !== undefined) firstOf.set(at, first);
  }
  for (const [at, first] of firstOf) firstOf.set(at, firstOf.get(first) ?? first);
  return firstOf;
}

function isParaphrase(one: string, other: string): boolean {
  return (
    setSimilarity(shingleSet(one), shingleSet(other)) >= NEAR_DUPLICATE_SIMILARITY &&
    isCloseTo(one, other) &&
    isCloseTo(other, one)
  );
}

function isCloseTo(claim: string, passage: string): boolean {
  return judgeSentence(claim, { passages: [passage], attribution: [], numbersFrom: [] }).verdict === 'close';
}

interface SourceIndex {
  sources: BriefSource[];
  idOf: ReadonlyMap<string, string>;
}

/** One source for each key. The longest text wins; other fields come from the first record that has them. */
function sourceIndex(named: readonly NamedSource[], asOf: string): SourceIndex {
  const grouped = [...groupBy(named, ({ key }) => key)];
  const sources = grouped.map(([key, told], at) => mergeSource(key, told, at + 1, asOf));
  return { sources, idOf: new Map(grouped.map(([key], at) => [key, sources[at]?.id ?? ''])) };
}

function mergeSource(key: string, told: readonly NamedSource[], n: number, asOf: string): BriefSource {
  const first = <Field extends keyof NamedSource>(field: Field): NamedSource[Field] | undefined =>
    told.find((source) => (source[field] ?? null) !== null)?.[field];
  const url = first('url') ?? null;
  const whole = told.reduce((best, source) => (source.contentChars > best.contentChars ? source : best));
  const [author, publishedAt, pages] = [first('author'), first('publishedAt'), whole.pages];
  const site = first('site') ?? (url === null ? undefined : hostOf(url));
  const title = first('title') ?? first('words') ?? (url === null ? 'Untitled' : titleOfAddress(url));
  return {
    id: makeSourceId(key, url),
    n,
    url,
    title,
    ...(whole.file === undefined ? {} : { file: whole.file }),
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    accessedAt: first('accessedAt') ?? asOf,
    // Facts of the chosen text, not of other records.
    ...originalFacts(whole),
    quality: rateSource({ url }),
    contentRef: whole.contentRef,
    contentChars: whole.contentChars,
    ...(pages === undefined ? {} : { pages }),
  };
}

/** The host for readability, and a part of the key's hash. */
function makeSourceId(key: string, url: string | null): string {
  const hash = createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 12);
  const host = url === null ? undefined : hostOf(url);
  return `${(host ?? 'source').replace(/[^a-z0-9.]+/gi, '-').slice(0, 60)}-${hash}`;
}

function hostOf(url: string): string | undefined {
  const host = parseUrl(url)?.hostname.replace(/^www\./, '');
  return host === '' ? undefined : host;
}
