import data from '../data/citation-words.json';
import { parsedUrl } from '../../core/values/parsed-url';
import { tokensOf } from '../../language/tokens';
import { STOP_WORDS } from '../../language/words';
import { authorYear } from './author-year';

/** A name of a publisher has no more words. */
const MOST_WORDS = 8;
/** So many words of an address are no chance. */
const FEWEST_OF_TITLE = 3;
const CITING: ReadonlySet<string> = new Set([...data.before, ...data.numbered]);

/**
 * Whether a link's words name what it leads to: by author and year, by who publishes it, by its title. A link to the front page
 * of a site names the site, which may as well be what the sentence is about.
 */
export function namesSource(words: string, url: string): boolean {
  const plain = words.replace(/\s+/g, ' ').trim();
  if (CITING.has(plain.toLowerCase()) || authorYear(plain) !== null) return true;
  const address = parsedUrl(url);
  if (address === null || !/[^/]/.test(address.pathname)) return false;
  return namesPublisher(plain, hostLabels(address.hostname)) || namesTitle(plain, address.pathname);
}

/** Whether a word is of the name of the site, which goes on in the link: `Fraunhofer [ISE](…)`. */
export function isOfSite(word: string, url: string): boolean {
  return hostLabels(parsedUrl(url)?.hostname ?? '').includes(word.toLowerCase());
}

/** Without what every site has. */
function hostLabels(host: string): string[] {
  const labels = host
    .toLowerCase()
    .replace(/^www\./, '')
    .split('.');
  return labels.slice(0, -1).map((label) => label.replace(/-/g, ''));
}

/** A part of the host is made of the beginnings of its words: `iea`, `worldbank`, `nytimes`. */
function namesPublisher(words: string, labels: readonly string[]): boolean {
  const written = words.match(/[\p{L}\p{N}]+/gu) ?? [];
  const tokens = written.map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
  if (tokens.length > MOST_WORDS) return false;
  const isName = written.every((word) => /^[\p{Lu}\p{N}]/u.test(word) || STOP_WORDS.has(word.toLowerCase()));
  const compact = tokens.join('');
  return labels.some((label) => label === compact || (isName && isMadeOf(label, tokens)));
}

/** Function words may be left out. */
function isMadeOf(label: string, words: readonly string[]): boolean {
  const [word, ...others] = words;
  if (label === '') return true;
  if (word === undefined) return false;
  if (STOP_WORDS.has(word) && isMadeOf(label, others)) return true;
  for (let length = Math.min(word.length, label.length); length > 0; length -= 1)
    if (label.startsWith(word.slice(0, length)) && isMadeOf(label.slice(length), others)) return true;
  return false;
}

/** Its words that say something stand in the path. */
function namesTitle(words: string, path: string): boolean {
  const own = tokensOf(words).filter((word) => !STOP_WORDS.has(word));
  const told = new Set(tokensOf(path.replace(/[-_/.]/g, ' ')));
  return /^\p{Lu}/u.test(words) && own.length >= FEWEST_OF_TITLE && own.every((word) => told.has(word));
}
