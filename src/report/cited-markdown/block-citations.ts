import { append } from '../../lib/iterables';
import { alternation } from '../../lib/untrusted-text';
import { parseUrl } from '../../lib/url';
import { tokensOf } from '../../text/sentences';
import { STOP_WORDS } from '../../text/words';
import { bracketMarks, type KnownLabels, parseLabels, raisedMarks } from './bracket-marks';
import type { Mark } from './cited-statements';
import { isComplete, requiresObject } from './complete-clause';
import data from './data/citation-words.json';
import type { InlineSpan, InlineText } from './inline-text';

const WEB = /^(?:https?:\/\/|www\.)[^\s/]/i;

const OPENING_BRACKETS = '([<（【［〔';

const CLOSING_BRACKETS = ')]>）】］〕';

/** Link texts that are no words of the sentence: a number, an arrow. */
const NO_WORDS = /^(?:\d{1,4}|[↗🔗↩*†‡]+)$/u;

/** An address or a host name: words only if the sentence needs one there. */
const ADDRESS = alternation(
  [/^(?:https?:\/\/|www\.)\S+$/, /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/\S*)?$/u],
  'iu',
);

const BEFORE_HOST = /^(?:https?:\/\/)?(?:www\.)?/i;

const BRACKETS_AROUND = /^[\s[\](（）【】]+|[\s[\])（）【】]+$/g;

const BETWEEN = /^[\s,;|·&]*$/;

const CONTEXT_CHARS = 400;

const SENTENCE_END = /[.!?]["'”’)]*\s*$/;

const CLAUSE_END = /^["'”’]?\s*(?:[.;!?)]|$|\[\d)/;

const CONJUNCTION = /^\s*,\s+(\p{L}+)/u;

const MAX_PUBLISHER_WORDS = 8;

/** So many shared words with an address are no coincidence. */
const MIN_TITLE_WORDS = 3;

/** `Smith et al., 2019` */
const AUTHOR_YEAR = /^\p{Lu}[^\d“”()]{1,80}\b(?:1[6-9]|20)\d{2}[a-z]?$/u;

const CITING: ReadonlySet<string> = new Set([...data.before, ...data.numbered]);

export interface FoundMark extends Mark {
  url?: string;
  words?: string;
}

/** The citations of a block's text, in order. Of overlapping ones, the form with the surer sign wins. */
export function findMarks(inline: InlineText, known: KnownLabels): FoundMark[] {
  const { scanned, spans } = inline;
  const raised = spans.filter(({ kind }) => kind === 'raised');
  const marks: FoundMark[] = [];
  const taken = new Set<number>();
  const found: FoundMark[] = [
    ...addressMarks(inline, known),
    ...bracketMarks(scanned, known),
    ...raisedMarks(scanned, raised, known),
  ];
  for (const mark of found) {
    const places = placesOf(mark);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    marks.push(mark);
  }
  return withoutQuoted(
    marks.sort((a, b) => a.from - b.from),
    scanned,
  );
}

const QUOTATION = /“[^“”]*”/g;
/** Text that may stand between a quotation and its citation: punctuation, and a name in brackets, which ends without a full stop. */
const BEFORE_CITATION = /^(?:\s*\([\p{Lu}\p{N}](?:[^()]|\([^()]*\)){0,200}(?<![.!?])\))?[\s.,;:!?(]*$/u;

/** Removes marks within a quotation that is itself cited right behind it: they belong to the quoted text. */
function withoutQuoted(marks: readonly FoundMark[], scanned: string): FoundMark[] {
  const left: FoundMark[] = [];
  let at = 0;
  for (const { 0: text, index: from } of scanned.matchAll(QUOTATION)) {
    const to = from + text.length;
    const within: FoundMark[] = [];
    for (; (marks[at]?.from ?? to) < to; at += 1) {
      const mark = marks[at];
      if (mark !== undefined) (mark.from >= from && mark.to <= to ? within : left).push(mark);
    }
    const next = marks[at];
    const isCited =
      next !== undefined && next.from - to <= 300 && BEFORE_CITATION.test(scanned.slice(to, next.from));
    if (!isCited) append(left, within);
  }
  append(left, marks.slice(at));
  return left;
}

function placesOf({ from, to }: FoundMark): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

interface AddressMark extends Mark {
  url: string;
  words?: string;
}

/** `[text](url)`, `([text](url))`, `<url>`, `[url]`, a bare address. A link whose text is a known number is that citation. */
function addressMarks({ text, spans }: InlineText, known: KnownLabels): (Mark | AddressMark)[] {
  const apart = separateNames(text, spans);
  return spans.flatMap((span): (Mark | AddressMark)[] => {
    if (span.kind === 'raised' || span.to === span.from) return [];
    const words = text.slice(span.from, span.to);
    const number = numberOf(words, known, WEB.test(span.url));
    if (number !== null) {
      const { from, to } = span;
      return [{ from, to, form: 'number', labels: number, cuts: [{ from, to }] }];
    }
    if (!WEB.test(span.url)) return [];
    const place = enclosed(text, span);
    const isEnclosed = place.from < span.from;
    const form = span.kind === 'link' ? 'link' : 'address';
    const bare = words.normalize('NFKC').replace(BRACKETS_AROUND, '');
    const isAddress = span.kind === 'address' || ADDRESS.test(bare);
    const saysNothing = NO_WORDS.test(bare) || isAddress;
    const told = form === 'link' && !saysNothing ? { words: words.replace(/\s+/g, ' ').trim() } : {};
    const isCut = isEnclosed || NO_WORDS.test(bare) || apart.has(span);
    const cuts = isCut ? [place] : isAddress ? aroundHost(text, span) : [];
    return [{ ...place, form, labels: [span.url], url: span.url, ...told, cuts }];
  });
}

/** Links that name their source, if the sentence is complete without them. Adjacent links are treated alike. */
function separateNames(text: string, spans: readonly InlineSpan[]): Set<InlineSpan> {
  const links = spans.filter(({ kind, from, to, url }) => kind === 'link' && to > from && WEB.test(url));
  const groups: InlineSpan[][] = [];
  for (const link of links.sort((a, b) => a.from - b.from)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (last !== undefined && link.from >= last.to && BETWEEN.test(text.slice(last.to, link.from)))
      group?.push(link);
    else groups.push([link]);
  }
  const isCitation = (group: readonly InlineSpan[]): boolean => {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return false;
    const [before = ''] =
      /[\p{L}\p{N}]+(?=\s*$)/u.exec(text.slice(Math.max(0, first.from - 60), first.from)) ?? [];
    return (
      group.every(({ from, to, url }) => namesSource(text.slice(from, to), url)) &&
      isSeparate(text, { from: first.from, to: last.to }) &&
      !isOfSite(before, first.url)
    );
  };
  return new Set(groups.filter(isCitation).flat());
}

/** Within a sentence, or at an end that needs a word, an address is shortened to its host; elsewhere it is removed. */
function aroundHost(text: string, { from, to }: InlineSpan): { from: number; to: number }[] {
  const words = text.slice(from, to);
  const host = from + (BEFORE_HOST.exec(words)?.[0].length ?? 0);
  const path = text.slice(host, to).search(/[/?#]/);
  const isTold = isRequired(text, { from, to }) || isWithin(text, { from, to });
  return isTold ? [{ from, to: host }, ...(path < 0 ? [] : [{ from: host + path, to }])] : [{ from, to }];
}

/** A link within the document is a citation if its text is a number. */
function numberOf(words: string, known: KnownLabels, isWeb: boolean): string[] | null {
  const inside = words
    .normalize('NFKC')
    .trim()
    .replace(/^[[(【（]+|[\])】）]+$/g, '');
  const named = /^\^?\d/.test(inside) ? parseLabels(inside.replace(/^\^/, ''), known.label) : null;
  if (named === null) return null;
  return named.labels.every(known.label) || !isWeb ? named.labels : null;
}

function enclosed(text: string, { from, to }: InlineSpan): { from: number; to: number } {
  let start = from - 1;
  while (text.charAt(start) === ' ') start -= 1;
  let end = to;
  while (text.charAt(end) === ' ') end += 1;
  const opens = OPENING_BRACKETS.indexOf(text.charAt(start) || '?');
  const isEnclosed = opens >= 0 && CLOSING_BRACKETS.charAt(opens) === text.charAt(end);
  return isEnclosed ? { from: start, to: end + 1 } : { from, to };
}

interface TextRange {
  from: number;
  to: number;
}

/** True if the range is no part of the sentence: the sentence is complete before it, and ends or begins a clause behind it. */
function isSeparate(text: string, { from, to }: TextRange): boolean {
  const before = text.slice(Math.max(0, from - CONTEXT_CHARS), from);
  const after = text.slice(to, to + CONTEXT_CHARS);
  if (SENTENCE_END.test(before)) return /^\s*(?:\p{Lu}|$)/u.test(after);
  return endsClause(after) && isComplete(before);
}

/** True if the last word before the range requires another one: `at`, `the`, `according to`. */
function isRequired(text: string, { from }: TextRange): boolean {
  const before = text.slice(Math.max(0, from - CONTEXT_CHARS), from);
  return /\p{L}\s*$/u.test(before) && requiresObject(tokensOf(before).at(-1));
}

/** True if the sentence has stated nothing before the range and continues in the same clause. */
function isWithin(text: string, { from, to }: TextRange): boolean {
  const before = text.slice(Math.max(0, from - CONTEXT_CHARS), from);
  const after = text.slice(to, to + CONTEXT_CHARS);
  const opens = SENTENCE_END.test(before) || !/\S/.test(before);
  return /^['’]?\s*\p{Ll}/u.test(after) && (opens || (/\p{L}\s*$/u.test(before) && !isComplete(before)));
}

function endsClause(after: string): boolean {
  const [, word] = CONJUNCTION.exec(after) ?? [];
  return CLAUSE_END.test(after) || (word !== undefined && STOP_WORDS.has(word.toLowerCase()));
}

/** True if a link's text names its target by author and year, publisher or title. A link to a front page names only the site. */
function namesSource(words: string, url: string): boolean {
  const plain = words.replace(/\s+/g, ' ').trim();
  if (CITING.has(plain.toLowerCase()) || AUTHOR_YEAR.test(plain)) return true;
  const address = parseUrl(url);
  if (address === null || !/[^/]/.test(address.pathname)) return false;
  return namesPublisher(plain, hostLabels(address.hostname)) || namesTitle(plain, address.pathname);
}

/** True if a word is part of a site name that continues in the link: `Fraunhofer [ISE](…)`. */
function isOfSite(word: string, url: string): boolean {
  return hostLabels(parseUrl(url)?.hostname ?? '').includes(word.toLowerCase());
}

function hostLabels(host: string): string[] {
  const labels = host
    .toLowerCase()
    .replace(/^www\./, '')
    .split('.');
  return labels.slice(0, -1).map((label) => label.replace(/-/g, ''));
}

/** A host label is made of the beginnings of the words: `iea`, `worldbank`, `nytimes`. */
function namesPublisher(words: string, labels: readonly string[]): boolean {
  const written = words.match(/[\p{L}\p{N}]+/gu) ?? [];
  const tokens = written.map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
  if (tokens.length > MAX_PUBLISHER_WORDS) return false;
  const isName = written.every((word) => /^[\p{Lu}\p{N}]/u.test(word) || STOP_WORDS.has(word.toLowerCase()));
  const compact = tokens.join('');
  return labels.some((label) => label === compact || (isName && isMadeOf(label, tokens)));
}

function isMadeOf(label: string, words: readonly string[]): boolean {
  const [word, ...others] = words;
  if (label === '') return true;
  if (word === undefined) return false;
  if (STOP_WORDS.has(word) && isMadeOf(label, others)) return true;
  for (let length = Math.min(word.length, label.length); length > 0; length -= 1)
    if (label.startsWith(word.slice(0, length)) && isMadeOf(label.slice(length), others)) return true;
  return false;
}

function namesTitle(words: string, path: string): boolean {
  const own = tokensOf(words).filter((word) => !STOP_WORDS.has(word));
  const told = new Set(tokensOf(path.replace(/[-_/.]/g, ' ')));
  return /^\p{Lu}/u.test(words) && own.length >= MIN_TITLE_WORDS && own.every((word) => told.has(word));
}
