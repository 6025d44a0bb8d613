import { eitherOf } from '../core/values/either-of';

/** Stands for a dot that was written as `[.]` or `(dot)`: who writes so means an address. */
const DEFANGED_DOT = '\ue000';
/** How people write an address so that nobody follows it by chance, and what it stands for. */
const DEFANGED: readonly (readonly [RegExp, string])[] = [
  [/\bhxxp/gi, 'http'],
  [/\s?[[({]\s?(?:\.|dot)\s?[\])}]\s?/gi, DEFANGED_DOT],
  [/\s?[[({]\s?(?:@|at)\s?[\])}]\s?/gi, '@'],
  [/\[(:\/?\/?)\]/g, '$1'],
];

/** The name of a host, in small letters: `slept.However` lacks a space. */
const HOST = /(?:[\p{Ll}\p{N}][\p{Ll}\p{N}-]*[.\ue000])+\p{Ll}{2,}(?![\p{L}\p{N}])/u;
/** Endings that are neither words, nor file names, nor abbreviations. */
const KNOWN_ENDING = /^(?:com|org|net|io|example|info|co)$/;
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const ADDRESSES = eitherOf(
  [
    // With a scheme, or of a person.
    /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"“”<>]+/u,
    /[^\s@"“”<>]{1,80}@[\w-]+[.\ue000][\w.\ue000-]+/u,
    new RegExp(`(?<![\\p{L}\\p{N}.-])${HOST.source}[^\\s"“”<>]*`, 'u'),
  ],
  'gu',
);

/** The addresses in a text, and what looks like one, that none of the other texts has in any way to write it. */
export function foreignAddresses(text: string, others: readonly string[]): string[] {
  const found = (plain(text).match(ADDRESSES) ?? [])
    .map((address) => address.replace(/[\p{P}]+$/u, ''))
    .filter(isAddress)
    .map(withDots);
  if (found.length === 0) return [];
  const known = others.map((other) => withDots(plain(other)).toLowerCase());
  return found.filter((address) => !known.some((other) => other.includes(address.toLowerCase())));
}

/** False for words with a dot between them, such as `node.js`, `settings.json`, `12.mai` and `e.g.from`. */
function isAddress(found: string): boolean {
  if (/:\/\/|@|^www\.|\ue000/.test(found)) return true;
  const host = HOST.exec(found)?.[0] ?? '';
  const labels = host.split('.');
  const ending = labels.at(-1) ?? '';
  const hasPath = /^\/./.test(found.slice(host.length));
  if (KNOWN_ENDING.test(ending)) return hasPath || !isShort(labels);
  if (isShort(labels)) return false;
  return hasPath || (labels.length > 2 && isCountry(ending));
}

/** Whether it begins as a number or an abbreviation does. */
function isShort([first = '']: readonly string[]): boolean {
  return /^(?:\p{N}+|.)$/u.test(first);
}

function isCountry(ending: string): boolean {
  return ending.length === 2 && COUNTRIES.of(ending.toUpperCase()) !== undefined;
}

function withDots(text: string): string {
  return text.replaceAll(DEFANGED_DOT, '.');
}

function plain(text: string): string {
  let written = text.normalize('NFKC');
  for (const [pattern, sign] of DEFANGED) written = written.replace(pattern, sign);
  return written;
}
