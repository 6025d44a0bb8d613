import { NUMBERED_WORD } from './bracket-marks';
import data from './data/bibliography-headings.json';
import type { InlineText } from './inline-text';
import type { Range } from './markdown-tree';

export interface EntryParts {
  text: string;
  url: string | null;
  title: string | null;
  author: string | null;
  year: string | null;
}

const HAS_ADDRESS = /https?:\/\/|\bwww\.|\b10\.\d{4,9}\//i;
const QUOTED = /[《「『“«"]([^《》「」『』“”«»"]{4,300})[》」』”»"]/;
/** A year in brackets or between punctuation; a year among a title's words does not count. */
const YEAR_IN_BRACKETS =
  /[（([]\s*(?:\p{L}+\.?\s+)?((?:1[5-9]|20)\d{2}|n\.\s?d\.)[a-z]?(?:[,，]\s*[^()（）]{1,20})?\s*[）)\]]/u;
const YEAR_BETWEEN =
  /(?:^|[,，.。;；]\s*(?:\p{L}{3,9}\.?\s+)?)((?:1[5-9]|20)\d{2})[a-z]?(?=\s*(?:[,，.。;；:：年(（]|$))/u;
const EDGES = /^[\s\-–—―:：|·•^↑,，.。;；)）<>\]]+|[\s\-–—―:：|·•,，;；(（<>[]+$/g;
const NOT_A_TITLE =
  /^(?:link|url|source|pdf|html|here|available(?: at)?|retrieved from|accessed|online|doi|来源|链接|网址)?$/i;
const MAX_AUTHOR_CHARS = 200;

function yearIn(words: string): RegExpExecArray | null {
  return YEAR_IN_BRACKETS.exec(words) ?? YEAR_BETWEEN.exec(words);
}

/** True if the text has an address, a quoted title or a year, as entries of a source list have. */
export function namesSource(text: string): boolean {
  return HAS_ADDRESS.test(text) || QUOTED.test(text) || yearIn(text) !== null;
}

export function hasAddress(text: string): boolean {
  return HAS_ADDRESS.test(text);
}

export function entryParts({ text, spans }: InlineText): EntryParts {
  const addressed = spans.filter(({ kind, url }) => kind !== 'raised' && /^(?:https?:|www\.)/i.test(url));
  const url = addressed[0]?.url ?? null;
  const isLinked = addressed.find(({ kind, from, to }) => kind === 'link' && isWords(text.slice(from, to)));
  const words = withoutAddresses(text, addressed);
  const year = yearIn(words);
  const author = authorBefore(words, year);
  const linked = isLinked === undefined ? null : text.slice(isLinked.from, isLinked.to);
  return {
    text: text.replace(/\s+/g, ' ').trim(),
    url,
    title: tidy(linked ?? QUOTED.exec(words)?.[1] ?? titleOf(words, author, year)),
    author: author === null ? null : tidy(author),
    year: /^\d{4}$/.exec(year?.[1] ?? '')?.[0] ?? null,
  };
}

function isWords(text: string): boolean {
  return (
    /\p{L}{2}/u.test(text) &&
    !/^(?:https?:|www\.)|^\S+\.\S+$/i.test(text.trim()) &&
    !NOT_A_TITLE.test(text.trim())
  );
}

function withoutAddresses(text: string, spans: InlineText['spans']): string {
  let rest = '';
  let done = 0;
  for (const { kind, from, to } of spans) {
    if (from < done || (kind === 'link' && isWords(text.slice(from, to)))) continue;
    rest += `${text.slice(done, from)} `;
    done = to;
  }
  const plain = (rest + text.slice(done)).replace(/[(（[]\s*[)）\]]/g, ' ');
  return plain.replace(/\s+/g, ' ').replace(EDGES, '').trim();
}

/** The author is before the year or the first quoted title. A whole sentence before them is no author. */
function authorBefore(words: string, year: RegExpExecArray | null): string | null {
  const quoted = QUOTED.exec(words);
  const stop = Math.min(year?.index ?? Infinity, quoted?.index ?? Infinity);
  if (!Number.isFinite(stop) || stop === 0) return null;
  const before = words.slice(0, stop).replace(EDGES, '').trim();
  if (before === '' || before.length > MAX_AUTHOR_CHARS || !/^\p{L}/u.test(before)) return null;
  const first = /^(.*?[^\s.]{3,}|.*?\p{Lu}|.*?et al)\.\s+(?=\p{Lu}\p{L}{2,}\s+\p{L})/u.exec(before);
  return first?.[1] ?? (isNames(before) ? before : null);
}

/** Names have capitals, except `and`, `et al.`, `van`. Scripts without capitals have short names. */
function isNames(text: string): boolean {
  if (/\p{Script=Han}/u.test(text)) return text.length <= 30;
  const words = text.split(/[\s,;&]+/).filter((word) => word !== '');
  return words.filter((word) => /^\p{Ll}{5,}/u.test(word)).length * 4 <= words.length;
}

function titleOf(words: string, author: string | null, year: RegExpExecArray | null): string {
  const isInBrackets = year !== null && /^[（([]/.test(year[0]);
  const start = author === null ? 0 : words.indexOf(author) + author.length;
  const afterYear = year === null ? 0 : year.index + year[0].length;
  const from = author !== null && isInBrackets && afterYear >= start ? afterYear : start;
  const rest = words.slice(from).replace(EDGES, '');
  if (author === null) return rest;
  return /^.{8,}?[.。](?=\s+\p{Lu}|\s*$|\p{Script=Han})/u.exec(rest)?.[0] ?? rest;
}

function tidy(text: string): string | null {
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(EDGES, '')
    .replace(/(?<=[^\s.]{3})\.$/, '')
    .trim();
  return plain === '' || NOT_A_TITLE.test(plain) ? null : plain;
}

export interface EntryMark {
  label: string;
  /** Offset of the end of the mark. */
  length: number;
  /** True for the form of citations, `[1]`; false for a list's own numbers, `1.` and `1)`. */
  isBracketed: boolean;
}

const BULLET = /^[ \t]*(?:[-*+•·▪◦]\s+)?(?:\*\*|__)?/;
const BRACKETED = /^\\?[[【［〔](\^?[\p{L}\p{N}][\p{L}\p{N}_.:&+-]{0,30})\\?[\]】］〕](?!\()/u;
const LINKED = /^\[\\?\[?(\d{1,4})\\?\]?\]\([^()\s]*\)/;
const NUMBERED = /^\(?(\d{1,3})(?:[.)、．]|\\[.)])(?=\D)/;
const NAMED_NUMBER = new RegExp(String.raw`^${NUMBERED_WORD}(\d{1,3})\s*(?=[:：.)\-–—])`, 'iu');
const SUPERSCRIPT = /^(?:([⁰¹²³⁴-⁹]{1,3})|<sup>\[?(\d{1,3})\]?<\/sup>)/;
const MARK_SEPARATOR = /^(?:\*\*|__)?[ \t]*[:：.]?[ \t]*/;

/** Null if the line starts with no mark. */
export function entryMark(line: string): EntryMark | null {
  const before = BULLET.exec(line)?.[0].length ?? 0;
  const rest = line.slice(before, before + 200);
  const bracketed = BRACKETED.exec(rest) ?? LINKED.exec(rest) ?? NAMED_NUMBER.exec(rest);
  const match = bracketed ?? NUMBERED.exec(rest) ?? SUPERSCRIPT.exec(rest);
  const label = (match?.[1] ?? match?.[2])?.normalize('NFKC').replace(/^\^/, '');
  if (match === null || label === undefined) return null;
  const isBracketed = bracketed !== null;
  // A label needs a digit: `[Draft] A text` only begins with a word in brackets.
  if (isBracketed && !/\d/.test(label)) return null;
  const length = before + match[0].length;
  return { label, isBracketed, length: length + (MARK_SEPARATOR.exec(line.slice(length))?.[0].length ?? 0) };
}

const HEADINGS: ReadonlySet<string> = new Set(data.headings);
const ACCOMPANYING_WORDS: ReadonlySet<string> = new Set([...data.around, ...data.joints]);
const MAX_HEADING_CHARS = 60;
const MAX_ATTRIBUTED_CHARS = 500;
/** `7. References`, `VII) …`, `七、参考文献`, `§ 5 …`, with symbols before the number. */
const NUMBERING =
  /^(?:[^\p{L}\p{N}]*(?:\d+(?:\.\d+)*|[ivx]+(?=[.)])|[一二三四五六七八九十]+(?=[、.．]))[.)、．:\s]*)?[^\p{L}]*/u;
const ATTRIBUTES = /\s*\{[^{}]*\}\s*$/u;
const TRAILING_MARKS = /[^\p{L}]+$/u;
const BRACKETED_SUFFIX = /[（([][^（）()[\]]*[）)\]]\s*[:：]?$/u;

export function isBibliographyHeading(heading: string): boolean {
  // Patterns that search from every place to the end take quadratic time.
  if (heading.length > MAX_ATTRIBUTED_CHARS) return false;
  const plain = heading.replace(ATTRIBUTES, '');
  if (plain.length > MAX_HEADING_CHARS) return false;
  const name = plain
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(BRACKETED_SUFFIX, '')
    .replace(NUMBERING, '')
    .replace(TRAILING_MARKS, '');
  if (HEADINGS.has(name)) return true;
  // `Literatur- und Quellenverzeichnis`: the second part of the first word comes later.
  const parts = name.split(/\s*[&/与和及]\s*|-?\s+/u).filter((part) => part !== '');
  return isMadeOfNames(parts);
}

/** `Sources and further reading`: heading names, and words that may accompany them. */
function isMadeOfNames(words: readonly string[]): boolean {
  let found = false;
  for (let at = 0; at < words.length;) {
    const length = [3, 2, 1].find((many) => HEADINGS.has(words.slice(at, at + many).join(' ')));
    if (length === undefined && !ACCOMPANYING_WORDS.has(words[at] ?? '')) return false;
    found ||= length !== undefined;
    at += length ?? 1;
  }
  return found;
}

export interface WrittenEntry extends Range {
  label: string | null;
  isBracketed: boolean;
  /** Where the text begins, behind the mark. */
  from: number;
  origin: 'list' | 'footnote';
  /** Id of the list; entries with the same id belong to one list. */
  list: number;
  url?: string;
  title?: string | null;
}
