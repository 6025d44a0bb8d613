import { append } from '../../core/values/append';
import { gatherDocuments, type GatheredDocuments, type PlacedPiece } from './gather-documents';
import { NO_PIECE, type ObservedPiece, type ReadObservation } from './observed-piece';
import { nameAndPages, originOf, pagesOf, similarityOf } from './observed-fields';
import { splitBlocks, type ObservationBlock } from './split-blocks';
import { isRecord } from '../../core/values/is-record';
import { parsedJson } from '../../core/values/parsed-json';
import type { PageRange } from '../../contracts/answer/answer-passage';
import { groupedBy } from '../../core/values/grouped-by';
import type { Span } from '../../language/sentences';
import { splitSentences } from '../../language/sentences';

/** What stands in brackets and belongs to no link. */
const BRACKETS = /(?<!\])\((?<round>[^()\n]{3,400})\)|\[(?<square>[^[\]\n]{3,400})\](?!\()/g;

const NAMED = /^\s*sources?\s*:\s*/i;

const ADDRESS = /^https?:\/\/\S+$/i;

const FILE = /\S\.(?:pdf|docx?|html?|txt|md)$/i;

const NOWHERE: AttributedPlace = { source: null, pages: null };

/** Of one observation so many characters are read: 400 pages of what a tool printed. Whole documents are sources. */
const MAX_CHARS = 1_000_000;

export const FINAL_OUTPUT = 'Final output';

const MAX_PIECES = 2_000;

export interface ObservedMaterial extends GatheredDocuments {
  /** Those that say anything, “Used tool: x” among them; the final output is none. */
  observationCount: number;
}

/**
 * Reads what tools observed, in the forms of document 001, as JSON, or plain. Offsets are those of the documents that come of
 * it. What cannot be read is told with its observation's place, from 1; a problem of the final output has the place 0.
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
  if (final !== '') append(pieces, splitAttributions(final).map(ofFinalOutput));
  const gathered = gatherDocuments(pieces);
  return {
    ...gathered,
    problems: [...problems, ...gathered.problems],
    observationCount: observations.filter((text) => text.trim() !== '').length,
  };
}

/** What an agent says of a file or an address is that one's; only what it attributes to nothing is its own. */
function ofFinalOutput({ source, ...part }: AttributedText): PlacedPiece {
  return { ...NO_PIECE, ...part, source, title: source === null ? FINAL_OUTPUT : null, observation: 0 };
}

/** The texts that a tool's output holds, with what it says of each. “Used tool: x” holds none. */
function readObservation(given: string): ReadObservation {
  const cut = `it has ${given.length.toLocaleString('en')} characters; the first ${MAX_CHARS.toLocaleString('en')} are read`;
  const problems = given.length > MAX_CHARS ? [cut] : [];
  const structured = structuredObservation(given);
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
    if (kind === 'document' && own === '') problems.push(noContent(fields.source ?? fields.title ?? null));
    else if (kind === 'document' && own !== '') pieces.push({ ...described(block), text: own });
    else if (own !== '')
      append(
        pieces,
        splitAttributions(own).map((part) => ({ ...NO_PIECE, ...part })),
      );
    if (similarity !== undefined && similarityOf(similarity) === null)
      problems.push(noSimilarity(similarity));
  }
  return { pieces, problems };
}

function described({ fields }: ObservationBlock): Omit<ObservedPiece, 'text'> {
  const named = fields.source === undefined ? null : nameAndPages(fields.source);
  return {
    ...NO_PIECE,
    source: named === null || named.name === '' ? null : named.name,
    title: fields.title ?? null,
    url: fields.url ?? null,
    pages: pagesOf(fields.page ?? '') ?? named?.pages ?? null,
    similarity: similarityOf(fields.similarity ?? ''),
    origin: originOf(fields.origin ?? ''),
  };
}

/**
 * An observation that is a JSON object `{ source, page, content, similarity, title, url, origin }`, or a list of such; null for
 * what is none. Nothing in such a content can pass for another source: it is the form for texts that nobody can vouch for.
 */
function structuredObservation(text: string): ReadObservation | null {
  const opening = text.slice(0, 100).trimStart();
  if (!opening.startsWith('{') && !/^\[\s*\{/.test(opening)) return null;
  const value = parsedJson(text);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (!items.every((item) => isRecord(item) && typeof item.content === 'string')) return null;
  const pieces = items.map((item) => pieceOf(isRecord(item) ? item : {}));
  return {
    pieces: pieces.flatMap(({ piece }) => piece),
    problems: pieces.flatMap(({ problems }) => problems),
  };
}

function pieceOf(item: Record<string, unknown>): { piece: ReadObservation['pieces']; problems: string[] } {
  const word = (key: string): string | null => {
    const value = item[key];
    if (typeof value === 'number') return `${value}`;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const text = typeof item.content === 'string' ? item.content.trim() : '';
  const given = word('source');
  const { name, pages } = given === null ? { name: null, pages: null } : nameAndPages(given);
  const similarity = similarityOf(word('similarity') ?? '');
  const problems =
    word('similarity') !== null && similarity === null ? [noSimilarity(word('similarity'))] : [];
  if (text === '') return { piece: [], problems: [...problems, noContent(name)] };
  const page = pagesOf(word('page') ?? '') ?? pages;
  const described = { source: name, title: word('title'), url: word('url'), pages: page, similarity };
  return { piece: [{ ...NO_PIECE, ...described, origin: originOf(word('origin') ?? ''), text }], problems };
}

function noSimilarity(value: string | null): string {
  return `the similarity ${JSON.stringify((value ?? '').slice(0, 40))} is no figure from 0 to 1; it is left out`;
}

function noContent(name: string | null): string {
  return `${name === null ? 'a block' : `the block of ${JSON.stringify(name.slice(0, 80))}`} has no content; it is left out`;
}

interface AttributedPlace {
  /** A file's name, or an address; null for what is attributed to nothing. */
  source: string | null;
  pages: PageRange | null;
}

interface AttributedText extends AttributedPlace {
  text: string;
}

/**
 * A text as document 001's agents write it, by the places that it gives: `(Source: x.pdf, Page 3)`, `[Source: https://…]`, `(x.pdf)`,
 * `[https://…]`. One within a sentence is the sentence's; one behind its end is that of all sentences of the paragraph since the place
 * before. A sentence of two places is said by both. A text that gives none stays as it is.
 */
export function splitAttributions(text: string): AttributedText[] {
  const parts = text.split(/\n[^\S\n]*\n/).flatMap(ofParagraph);
  if (parts.every(({ source }) => source === null)) return [{ ...NOWHERE, text }];
  const unplaced = parts.filter(({ source }) => source === null).map((part) => part.text);
  const placed = parts.filter(({ source }) => source !== null);
  return unplaced.length === 0 ? placed : [...placed, { ...NOWHERE, text: unplaced.join('\n\n') }];
}

function ofParagraph(paragraph: string): AttributedText[] {
  const { text, given } = withoutPlaces(paragraph);
  if (given.length === 0) return [{ ...NOWHERE, text }];
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
    (places.length === 0 ? [NOWHERE] : places).map((place) => ({ ...span, place })),
  );
  return [...groupedBy(told, ({ place }) => JSON.stringify(place)).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first.place, text: joined(group, text) }];
  });
}

/** Spans of a text, with the white space that parts them there where nothing else does. */
function joined(spans: readonly Span[], text: string): string {
  return spans
    .map(({ start, end }, at) => {
      const between = text.slice(spans[at - 1]?.end ?? start, start);
      return `${between.trim() === '' ? between : ' '}${text.slice(start, end)}`;
    })
    .join('');
}

function withoutPlaces(paragraph: string): {
  text: string;
  given: { at: number; places: AttributedPlace[] }[];
} {
  let text = '';
  let end = 0;
  const given: { at: number; places: AttributedPlace[] }[] = [];
  for (const match of paragraph.matchAll(BRACKETS)) {
    const places = placesIn(match.groups?.round ?? match.groups?.square ?? '');
    if (places.length === 0) continue;
    text = (text + paragraph.slice(end, match.index)).trimEnd();
    end = match.index + match[0].length;
    given.push({ at: text.length, places });
  }
  return { text: text + paragraph.slice(end), given };
}

/** The places that brackets name, parted by semicolons; none where any of it is something else. */
function placesIn(words: string): AttributedPlace[] {
  const isNamed = NAMED.test(words);
  const places = words
    .replace(NAMED, '')
    .split(';')
    .map((part) => nameAndPages(part.trim()));
  const isPlace = ({ name, pages }: (typeof places)[number]): boolean =>
    ADDRESS.test(name) || FILE.test(name) || (isNamed && name !== '' && pages !== null);
  if (!places.every(isPlace)) return [];
  return places.map(({ name, pages }) => ({ source: name, pages }));
}
