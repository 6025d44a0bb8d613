import type { InlineText } from '../markdown/inline-text';

export interface EntryParts {
  text: string;
  url: string | null;
  title: string | null;
  author: string | null;
  year: string | null;
}

const HAS_ADDRESS = /https?:\/\/|\bwww\.|\b10\.\d{4,9}\//i;
const QUOTED = /[《「『“«"]([^《》「」『』“”«»"]{4,300})[》」』”»"]/;
/** A year in brackets, or one between signs; a year among a title's words is none. */
const YEAR_IN_BRACKETS =
  /[（([]\s*(?:\p{L}+\.?\s+)?((?:1[5-9]|20)\d{2}|n\.\s?d\.)[a-z]?(?:[,，]\s*[^()（）]{1,20})?\s*[）)\]]/u;
const YEAR_BETWEEN =
  /(?:^|[,，.。;；]\s*(?:\p{L}{3,9}\.?\s+)?)((?:1[5-9]|20)\d{2})[a-z]?(?=\s*(?:[,，.。;；:：年(（]|$))/u;
const EDGES = /^[\s\-–—―:：|·•^↑,，.。;；)）<>\]]+|[\s\-–—―:：|·•,，;；(（<>[]+$/g;
const NOT_A_TITLE =
  /^(?:link|url|source|pdf|html|here|available(?: at)?|retrieved from|accessed|online|doi|来源|链接|网址)?$/i;
const LONGEST_AUTHOR = 200;

function yearIn(words: string): RegExpExecArray | null {
  return YEAR_IN_BRACKETS.exec(words) ?? YEAR_BETWEEN.exec(words);
}

/** Whether a text names a source as lists do: by its address, its title or its year, each where they have it. */
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

/** Bare addresses and links that only say `link` say nothing of a title. */
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

/** Names stand before the year, or before the first quoted title; a whole sentence before either is no name. */
function authorBefore(words: string, year: RegExpExecArray | null): string | null {
  const quoted = QUOTED.exec(words);
  const stop = Math.min(year?.index ?? Infinity, quoted?.index ?? Infinity);
  if (!Number.isFinite(stop) || stop === 0) return null;
  const before = words.slice(0, stop).replace(EDGES, '').trim();
  if (before === '' || before.length > LONGEST_AUTHOR || !/^\p{L}/u.test(before)) return null;
  const first = /^(.*?[^\s.]{3,}|.*?\p{Lu}|.*?et al)\.\s+(?=\p{Lu}\p{L}{2,}\s+\p{L})/u.exec(before);
  return first?.[1] ?? (isNames(before) ? before : null);
}

/** Names begin with capitals, but for `and`, `et al.`, `van`; scripts without capitals have short ones. */
function isNames(text: string): boolean {
  if (/\p{Script=Han}/u.test(text)) return text.length <= 30;
  const words = text.split(/[\s,;&]+/).filter((word) => word !== '');
  return words.filter((word) => /^\p{Ll}{5,}/u.test(word)).length * 4 <= words.length;
}

/** What follows the year in brackets, or the author, up to a full stop; else all. */
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
