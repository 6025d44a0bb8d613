import type { AnswerPassage, PageRange, PassageOrigin } from '../contracts/answer';
import type { SourceRecord } from '../contracts/source';
import { append, groupBy } from '../lib/iterables';
import { isRecord, tryParseJson } from '../lib/json';
import { cutLongText } from '../lib/strings';
import { stripUnsafe } from '../lib/untrusted-text';
import { type Span, splitSentences } from '../text/sentences';
import {
  type ObservationBlock,
  parseOrigin,
  parsePages,
  parseSimilarity,
  splitBlocks,
  splitPages,
} from './observation-blocks';
import { parseRecord } from './record';
import { createIdentifier } from './source-readings';

/** Bracketed text outside of links. */
const BRACKETS = /(?<!\])\((?<round>[^()\n]{3,400})\)|\[(?<square>[^[\]\n]{3,400})\](?!\()/g;

const SOURCE_LABEL = /^\s*sources?\s*:\s*/i;

const ADDRESS = /^https?:\/\/\S+$/i;

const FILE = /\S\.(?:pdf|docx?|html?|txt|md)$/i;

const NO_PLACE: AttributedPlace = { source: null, pages: null };

/** Characters per observation, about 400 pages. Whole documents should be sources. */
const MAX_CHARS = 1_000_000;

export const FINAL_OUTPUT = 'Final output';

const MAX_PIECES = 2_000;

export interface ObservedMaterial extends GatheredDocuments {
  observationCount: number;
}

/**
 * Offsets refer to the created documents. Problems have the observation's number, or 0 for the final output.
 */
export function readObservations(observations: readonly string[], finalOutput?: string): ObservedMaterial {
  const pieces: PlacedPiece[] = [];
  const problems: ObservedMaterial['problems'] = [];
  for (const [at, text] of observations.entries()) {
    const read = readObservation(text);
    const room = Math.max(0, MAX_PIECES - pieces.length);
    const observation = at + 1;
    append(
      pieces,
      read.pieces.slice(0, room).map((piece) => ({ ...piece, observation })),
    );
    append(
      problems,
      read.problems.map((message) => ({ observation, message })),
    );
    const over = read.pieces.length - room;
    if (over > 0)
      problems.push({
        observation,
        message: `${over} of its texts are beyond the ${MAX_PIECES.toLocaleString('en')} that are read`,
      });
  }
  const final = finalOutput?.trim() ?? '';
  if (final !== '') append(pieces, splitAttributions(final).map(finalOutputPiece));
  const gathered = gatherDocuments(pieces);
  return {
    ...gathered,
    problems: [...problems, ...gathered.problems],
    observationCount: observations.filter((text) => text.trim() !== '').length,
  };
}

/** Attributed statements belong to their source, the rest to the final output. */
function finalOutputPiece({ source, ...part }: AttributedText): PlacedPiece {
  return { ...NO_PIECE, ...part, source, title: source === null ? FINAL_OUTPUT : null, observation: 0 };
}

/** “Used tool: x” yields no pieces. */
function readObservation(given: string): ReadObservation {
  const cut = `it has ${given.length.toLocaleString('en')} characters; the first ${MAX_CHARS.toLocaleString('en')} are read`;
  const problems = given.length > MAX_CHARS ? [cut] : [];
  const structured = parseStructuredObservation(given);
  if (structured !== null) {
    const short = structured.pieces.map((piece) => ({ ...piece, text: piece.text.slice(0, MAX_CHARS) }));
    return { pieces: short, problems: [...problems, ...structured.problems] };
  }
  const text = given.slice(0, MAX_CHARS);
  const pieces: ObservedPiece[] = [];
  for (const block of splitBlocks(text)) {
    const { kind, fields, content } = block;
    const own = text.slice(content.start, content.end);
    const { similarity } = fields;
    if (kind === 'document' && own === '')
      problems.push(missingContent(fields.source ?? fields.title ?? null));
    else if (kind === 'document' && own !== '') pieces.push({ ...blockPiece(block), text: own });
    else if (own !== '')
      append(
        pieces,
        splitAttributions(own).map((part) => ({ ...NO_PIECE, ...part })),
      );
    if (similarity !== undefined && parseSimilarity(similarity) === null)
      problems.push(invalidSimilarity(similarity));
  }
  return { pieces, problems };
}

function blockPiece({ fields }: ObservationBlock): Omit<ObservedPiece, 'text'> {
  const named = fields.source === undefined ? null : splitPages(fields.source);
  return {
    ...NO_PIECE,
    source: named === null || named.name === '' ? null : named.name,
    title: fields.title ?? null,
    url: fields.url ?? null,
    pages: parsePages(fields.page ?? '') ?? named?.pages ?? null,
    similarity: parseSimilarity(fields.similarity ?? ''),
    origin: parseOrigin(fields.origin ?? ''),
  };
}

/** Null for other text. Content in this form cannot fake another source. */
function parseStructuredObservation(text: string): ReadObservation | null {
  const opening = text.slice(0, 100).trimStart();
  if (!opening.startsWith('{') && !/^\[\s*\{/.test(opening)) return null;
  const value = tryParseJson(text);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (!items.every((item) => isRecord(item) && typeof item.content === 'string')) return null;
  const pieces = items.map((item) => parsePiece(isRecord(item) ? item : {}));
  return {
    pieces: pieces.flatMap(({ piece }) => piece),
    problems: pieces.flatMap(({ problems }) => problems),
  };
}

function parsePiece(item: Record<string, unknown>): { piece: ReadObservation['pieces']; problems: string[] } {
  const word = (key: string): string | null => {
    const value = item[key];
    if (typeof value === 'number') return `${value}`;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const text = typeof item.content === 'string' ? item.content.trim() : '';
  const given = word('source');
  const { name, pages } = given === null ? { name: null, pages: null } : splitPages(given);
  const similarity = parseSimilarity(word('similarity') ?? '');
  const problems =
    word('similarity') !== null && similarity === null ? [invalidSimilarity(word('similarity'))] : [];
  if (text === '') return { piece: [], problems: [...problems, missingContent(name)] };
  const page = parsePages(word('page') ?? '') ?? pages;
  const described = { source: name, title: word('title'), url: word('url'), pages: page, similarity };
  return {
    piece: [{ ...NO_PIECE, ...described, origin: parseOrigin(word('origin') ?? ''), text }],
    problems,
  };
}

function invalidSimilarity(value: string | null): string {
  return `the similarity ${JSON.stringify((value ?? '').slice(0, 40))} is no figure from 0 to 1; it is left out`;
}

function missingContent(name: string | null): string {
  return `${name === null ? 'a block' : `the block of ${JSON.stringify(name.slice(0, 80))}`} has no content; it is left out`;
}

interface AttributedPlace {
  /** A file name or address; null without attribution. */
  source: string | null;
  pages: PageRange | null;
}

interface AttributedText extends AttributedPlace {
  text: string;
}

/** A place inside a sentence applies to it, one after it to all sentences since the last place. */
export function splitAttributions(text: string): AttributedText[] {
  const parts = text.split(/\n[^\S\n]*\n/).flatMap(paragraphAttributions);
  if (parts.every(({ source }) => source === null)) return [{ ...NO_PLACE, text }];
  const unplaced = parts.filter(({ source }) => source === null).map((part) => part.text);
  const placed = parts.filter(({ source }) => source !== null);
  return unplaced.length === 0 ? placed : [...placed, { ...NO_PLACE, text: unplaced.join('\n\n') }];
}

function paragraphAttributions(paragraph: string): AttributedText[] {
  const { text, given } = extractPlaces(paragraph);
  if (given.length === 0) return [{ ...NO_PLACE, text }];
  const sentences = splitSentences(text).map((span) => ({ ...span, places: [] as AttributedPlace[] }));
  let from = 0;
  for (const { at, places } of given) {
    const own = sentences.findLast(({ start }) => start < at);
    if (own === undefined) continue;
    const to = sentences.indexOf(own) + 1;
    const isBehind = at >= own.end && /[.!?…]["”’]?$/u.test(text.slice(own.start, own.end));
    const meant = isBehind && from < to ? sentences.slice(from, to) : [own];
    for (const sentence of meant) append(sentence.places, places);
    from = to;
  }
  const told = sentences.flatMap(({ places, ...span }) =>
    (places.length === 0 ? [NO_PLACE] : places).map((place) => ({ ...span, place })),
  );
  return [...groupBy(told, ({ place }) => JSON.stringify(place)).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first.place, text: joinSpans(group, text) }];
  });
}

/** Keeps the white space between adjacent spans. */
function joinSpans(spans: readonly Span[], text: string): string {
  return spans
    .map(({ start, end }, at) => {
      const between = text.slice(spans[at - 1]?.end ?? start, start);
      return `${between.trim() === '' ? between : ' '}${text.slice(start, end)}`;
    })
    .join('');
}

function extractPlaces(paragraph: string): {
  text: string;
  given: { at: number; places: AttributedPlace[] }[];
} {
  let text = '';
  let end = 0;
  const given: { at: number; places: AttributedPlace[] }[] = [];
  for (const match of paragraph.matchAll(BRACKETS)) {
    const places = parsePlaces(match.groups?.round ?? match.groups?.square ?? '');
    if (places.length === 0) continue;
    text = (text + paragraph.slice(end, match.index)).trimEnd();
    end = match.index + match[0].length;
    given.push({ at: text.length, places });
  }
  return { text: text + paragraph.slice(end), given };
}

function parsePlaces(words: string): AttributedPlace[] {
  const isNamed = SOURCE_LABEL.test(words);
  const places = words
    .replace(SOURCE_LABEL, '')
    .split(';')
    .map((part) => splitPages(part.trim()));
  const isPlace = ({ name, pages }: (typeof places)[number]): boolean =>
    ADDRESS.test(name) || FILE.test(name) || (isNamed && name !== '' && pages !== null);
  if (!places.every(isPlace)) return [];
  return places.map(({ name, pages }) => ({ source: name, pages }));
}

interface PlacedPiece extends ObservedPiece {
  observation: number;
}

export type ObservedDocument = SourceRecord & { id: string; title: string };

/** A given passage, in observation order; its offsets refer to its document. */
type GivenPassage = AnswerPassage;

interface GatheredDocuments {
  documents: ObservedDocument[];
  passages: GivenPassage[];
  problems: { observation: number; message: string }[];
}

/** Score of a passage without similarity. */
const DEFAULT_SIMILARITY = 0.5;
const TEXT_SEPARATOR = '\n\n';
const MAX_NAME_CHARS = 200;
/** About the length of retrieved passages. */
const PASSAGE_CHARS = { most: 1_600, least: 400 };

function gatherDocuments(pieces: readonly PlacedPiece[]): GatheredDocuments {
  const identify = createIdentifier();
  const gathered: GatheredDocuments = { documents: [], passages: [], problems: [] };
  const found: { at: number; passage: Omit<AnswerPassage, 'id'> }[] = [];
  const placed = pieces.map((piece, at) => ({ ...piece, at }));
  for (const group of groupBy(placed, documentKey).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { content, texts } = joinTexts(group);
    const { name, title, url } = documentNames(group);
    const pages = texts.flatMap(({ piece, start, end }) =>
      piece.pages === null ? [] : [{ number: piece.pages.from, start, end }],
    );
    const record = { title, content, ...(pages.length === 0 ? {} : { pages }) };
    const withUrl = parseRecord({ ...record, ...(url === null ? {} : { url }) });
    if (!withUrl.ok) gathered.problems.push({ observation: first.observation, message: withUrl.message });
    const reading = withUrl.ok ? withUrl : parseRecord(record);
    const source = identify({ name: 'observations', file: null }, reading);
    if (!source.ok) {
      gathered.problems.push({ observation: first.observation, message: source.problem.message });
      continue;
    }
    gathered.documents.push(source.record);
    const of = {
      sourceId: source.record.id,
      document: name,
      title: source.record.title,
      url: source.record.url ?? null,
    };
    for (const { piece, start } of texts) {
      for (const part of cutLongText(piece.text, PASSAGE_CHARS)) {
        const text = piece.text.slice(part.start, part.end);
        const span = { start: start + part.start, end: start + part.end, text };
        const score = piece.similarity ?? DEFAULT_SIMILARITY;
        found.push({
          at: piece.at,
          passage: { ...of, pages: piece.pages, ...span, origin: piece.origin, score },
        });
      }
    }
  }
  const inOrder = found.sort((a, b) => a.at - b.at);
  gathered.passages = inOrder.map(({ passage }, at) => ({ id: `P${at + 1}`, ...passage }));
  return gathered;
}

/** Texts without address, file or title are separate documents, and so are graph results. */
function documentKey({ source, title, url, origin, at }: PlacedPiece & { at: number }): string {
  const named = url ?? source ?? title;
  return named === null ? `${at}` : JSON.stringify([named, origin]);
}

type IndexedPiece = PlacedPiece & { at: number };

function joinTexts(group: readonly IndexedPiece[]): {
  content: string;
  texts: { piece: IndexedPiece; start: number; end: number }[];
} {
  const best = new Map<string, IndexedPiece>();
  for (const piece of group) {
    const known = best.get(piece.text);
    const isBetter = (piece.similarity ?? 0) > (known?.similarity ?? 0);
    if (known === undefined || isBetter) best.set(piece.text, { ...piece, at: known?.at ?? piece.at });
  }
  const ordered = [...best.values()].sort((a, b) => firstPage(a) - firstPage(b) || a.at - b.at);
  let content = '';
  const texts = ordered.map((piece) => {
    const start = content === '' ? 0 : content.length + TEXT_SEPARATOR.length;
    content = content === '' ? piece.text : `${content}${TEXT_SEPARATOR}${piece.text}`;
    return { piece, start, end: content.length };
  });
  return { content, texts };
}

function firstPage({ pages }: ObservedPiece): number {
  return pages?.from ?? Number.MAX_SAFE_INTEGER;
}

function documentNames(group: readonly IndexedPiece[]): { name: string; title: string; url: string | null } {
  const given = (key: 'source' | 'title' | 'url'): string | null =>
    group.find((piece) => piece[key] !== null)?.[key] ?? null;
  const [source, title] = [given('source'), given('title')];
  const isAddress = source !== null && /^https?:\/\//i.test(source);
  const file = source === null || isAddress ? null : source.split(/[\\/]/).findLast((part) => part !== '');
  const url = given('url') ?? (isAddress ? source : null);
  const observation = `Observation ${group[0]?.observation ?? 1}`;
  const name = displayName(file ?? title ?? url ?? observation) || observation;
  return { name, title: displayName(title ?? name) || name, url };
}

function displayName(name: string): string {
  return stripUnsafe(name).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS);
}

interface ObservedPiece {
  source: string | null;
  title: string | null;
  url: string | null;
  pages: PageRange | null;
  /** 0–1; null if missing or unreadable. */
  similarity: number | null;
  origin: PassageOrigin;
  text: string;
}

interface ReadObservation {
  pieces: ObservedPiece[];
  problems: string[];
}

const NO_PIECE: Omit<ObservedPiece, 'text'> = {
  source: null,
  title: null,
  url: null,
  pages: null,
  similarity: null,
  origin: 'text',
};
