import { eitherOf } from '../../../core/values/either-of';
import { stripUnsafe } from '../../../core/text/untrusted-text';
import elements from './data/html-elements.json';

const IMAGE = /!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?/g;
const LINK = /\[([^\]]*)\]\([^)]*\)/g;
/** Tags that do something; `Array<string>` in a text about code is none of them. */
const TAG = new RegExp(String.raw`<!--.*?(?:-->|$)|</?(?:${elements.names.join('|')})\b[^>]*>`, 'gis');
/** Addresses of the web and of mail. What a model names is known by its source's id, or not at all. */
const ADDRESS = eitherOf(
  [
    /<?\b(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|data:[a-z]+\/|javascript:(?=\S)|www\.)[^\s<>]*>?/,
    /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
  ],
  'gi',
);
const MARKS = /\[(?:@[^\]]*|[SF]\s?\d+(?:\s*[,;]\s*[SF]?\s?\d+)*)\]/gi;

/**
 * A model's words for a place where text stands alone (a title, a claim, a question): one line, without Markdown, HTML,
 * addresses and citation marks.
 */
export function plainLine(text: string): string {
  return stripUnsafe(text)
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(TAG, '')
    .replace(ADDRESS, '')
    .replace(MARKS, '')
    .replace(/\*\*|__|^\s*#{1,6}\s+/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[.,;:!?)\]])/g, '')
    .replace(/[([]\s*[)\]]/g, '')
    .trim();
}

/** Cut at a word's end, the cut marked. */
export function shortLine(text: string, maxChars: number): string {
  const line = plainLine(text);
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > maxChars / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:–-]+$|[\uD800-\uDBFF]$/, '')}…`;
}
