import { isRecord } from '../../core/values/is-record';
import { parsedJson } from '../../core/values/parsed-json';
import { nameAndPages, originOf, pagesOf, similarityOf } from './observed-fields';
import { NO_PIECE, type ReadObservation } from './observed-piece';

/**
 * An observation that is a JSON object `{ source, page, content, similarity, title, url, origin }`, or a list of such; null for
 * what is none. Nothing in such a content can pass for another source: it is the form for texts that nobody can vouch for.
 */
export function structuredObservation(text: string): ReadObservation | null {
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

export function noSimilarity(value: string | null): string {
  return `the similarity ${JSON.stringify((value ?? '').slice(0, 40))} is no figure from 0 to 1; it is left out`;
}

export function noContent(name: string | null): string {
  return `${name === null ? 'a block' : `the block of ${JSON.stringify(name.slice(0, 80))}`} has no content; it is left out`;
}
