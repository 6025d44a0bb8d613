import { append } from '../../lib/iterables';
import { eitherOf } from '../../lib/untrusted-text';
import { parsedUrl } from '../../lib/url';
import { isUnspaced, tokensOf } from '../../text/sentences';
import { STOP_WORDS } from '../../text/words';
import { bracketMarks, type Known, labelsIn, raisedMarks } from './bracket-marks';
import type { Mark } from './cited-statements';
import data from './data/citation-words.json';
import type { InlineSpan, InlineText } from './inline-text';

const WEB = /^(?:https?:\/\/|www\.)[^\s/]/i;

const OPENS = '([<（【［〔';

const CLOSES = ')]>）】］〕';

/** Words of a link that are never words of the sentence: a number, an arrow. */
const NO_WORDS = /^(?:\d{1,4}|[↗🔗↩*†‡]+)$/u;

/** An address, the name of a site: words where the sentence waits for them. */
const ADDRESS = eitherOf(
  [/^(?:https?:\/\/|www\.)\S+$/, /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/\S*)?$/u],
  'iu',
);

const BEFORE_HOST = /^(?:https?:\/\/)?(?:www\.)?/i;

const BRACKETS_AROUND = /^[\s[\](（）【】]+|[\s[\])（）【】]+$/g;

/** What stands between links that cite together. */
const BETWEEN = /^[\s,;|·&]*$/;

/** With fewer words nothing has been said yet that could be cited. */
const FEWEST_WORDS = 4;

const NEAR = 400;

const SENTENCE_START = /^.*[.!?]["'”’)]*\s+(?=\p{Lu})/su;

const SENTENCE_END = /[.!?]["'”’)]*\s*$/;

const CLAUSE_END = /^["'”’]?\s*(?:[.;!?)]|$|\[\d)/;

const CONJUNCTION = /^\s*,\s+(\p{L}+)/u;

const GOVERNING: ReadonlySet<string> = new Set(data.governing);

/** A name of a publisher has no more words. */
const MOST_WORDS = 8;

/** So many words of an address are no chance. */
const FEWEST_OF_TITLE = 3;

/** `Smith et al., 2019` */
const AUTHOR_YEAR = /^\p{Lu}[^\d“”()]{1,80}\b(?:1[6-9]|20)\d{2}[a-z]?$/u;

const CITING: ReadonlySet<string> = new Set([...data.before, ...data.numbered]);

export interface FoundMark extends Mark {
  url?: string;
  /** A link's own words, where they are words. */
  words?: string;
}

/** The citations of a block's text, in order; where two overlap, the one that was found by the surer sign. */
export function marksOf(inline: InlineText, known: Known): FoundMark[] {
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
/**
 * What may stand between a quotation and its citation: stops, and in brackets of its own whose it is, which begins as a name does and ends
 * as no sentence does.
 */
const LEADING = /^(?:\s*\([\p{Lu}\p{N}](?:[^()]|\([^()]*\)){0,200}(?<![.!?])\))?[\s.,;:!?(]*$/u;

/** The marks within a quotation that is itself cited right behind it are of the text that is quoted. */
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
    // What stands between is a name at most.
    const isCited = next !== undefined && next.from - to <= 300 && LEADING.test(scanned.slice(to, next.from));
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
  /** A link's own words, where they are words. */
  words?: string;
}

/** `[text](url)`, `([text](url))`, `<url>`, `[url]`, a bare address; a link that says a known number is that citation. */
function addressMarks({ text, spans }: InlineText, known: Known): (Mark | AddressMark)[] {
  const apart = namesApart(text, spans);
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
    const bare = words.replace(BRACKETS_AROUND, '');
    const isAddress = span.kind === 'address' || ADDRESS.test(bare);
    const saysNothing = NO_WORDS.test(bare) || isAddress;
    const told = form === 'link' && !saysNothing ? { words: words.replace(/\s+/g, ' ').trim() } : {};
    const isCut = isEnclosed || NO_WORDS.test(bare) || apart.has(span);
    const cuts = isCut ? [place] : isAddress ? aroundHost(text, span) : [];
    return [{ ...place, form, labels: [span.url], url: span.url, ...told, cuts }];
  });
}

/** Links that name their source where the sentence is complete without them; of several together all or none. */
function namesApart(text: string, spans: readonly InlineSpan[]): Set<InlineSpan> {
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
      standsApart(text, { from: first.from, to: last.to }) &&
      !isOfSite(before, first.url)
    );
  };
  return new Set(groups.filter(isCitation).flat());
}

/** Within a sentence, or where its end waits for it, an address is told by its site; elsewhere it is no word of it. */
function aroundHost(text: string, { from, to }: InlineSpan): { from: number; to: number }[] {
  const words = text.slice(from, to);
  const host = from + (BEFORE_HOST.exec(words)?.[0].length ?? 0);
  const path = text.slice(host, to).search(/[/?#]/);
  const isTold = isAwaited(text, { from, to }) || isWithin(text, { from, to });
  return isTold ? [{ from, to: host }, ...(path < 0 ? [] : [{ from: host + path, to }])] : [{ from, to }];
}

/** A link that leads within the document is a citation where it says a number. */
function numberOf(words: string, known: Known, isWeb: boolean): string[] | null {
  const inside = words.trim().replace(/^[[(【（]+|[\])】）]+$/g, '');
  const named = /^\^?\d/.test(inside) ? labelsIn(inside.replace(/^\^/, ''), known.label) : null;
  if (named === null) return null;
  return named.labels.every(known.label) || !isWeb ? named.labels : null;
}

/** With the brackets in which it stands alone. */
function enclosed(text: string, { from, to }: InlineSpan): { from: number; to: number } {
  let start = from - 1;
  while (text.charAt(start) === ' ') start -= 1;
  let end = to;
  while (text.charAt(end) === ' ') end += 1;
  const opens = OPENS.indexOf(text.charAt(start) || '?');
  const isEnclosed = opens >= 0 && CLOSES.charAt(opens) === text.charAt(end);
  return isEnclosed ? { from: start, to: end + 1 } : { from, to };
}

interface Stretch {
  from: number;
  to: number;
}

/**
 * Whether what stands there is no part of the sentence: this is complete before it, as far as its last word does not wait for
 * another, and ends, or begins a clause, behind it.
 */
function standsApart(text: string, { from, to }: Stretch): boolean {
  const before = text.slice(Math.max(0, from - NEAR), from);
  const after = text.slice(to, to + NEAR);
  if (SENTENCE_END.test(before)) return /^\s*(?:\p{Lu}|$)/u.test(after);
  return endsClause(after) && isComplete(before);
}

/** Whether the last word before it waits for what stands there: `at`, `the`, `according to`. */
function isAwaited(text: string, { from }: Stretch): boolean {
  const before = text.slice(Math.max(0, from - NEAR), from);
  return /\p{L}\s*$/u.test(before) && waits(tokensOf(before).at(-1));
}

/** Whether the sentence has not said anything before it, and goes on in the same clause. */
function isWithin(text: string, { from, to }: Stretch): boolean {
  const before = text.slice(Math.max(0, from - NEAR), from);
  const after = text.slice(to, to + NEAR);
  const opens = SENTENCE_END.test(before) || !/\S/.test(before);
  return /^['’]?\s*\p{Ll}/u.test(after) && (opens || (/\p{L}\s*$/u.test(before) && !isComplete(before)));
}

function endsClause(after: string): boolean {
  const [, word] = CONJUNCTION.exec(after) ?? [];
  return CLAUSE_END.test(after) || (word !== undefined && STOP_WORDS.has(word.toLowerCase()));
}

/** In scripts that put no space between words it is not known which of them wait. */
function isComplete(before: string): boolean {
  const sentence = before.replace(SENTENCE_START, '');
  const words = tokensOf(sentence);
  return words.length >= FEWEST_WORDS && !isUnspaced(sentence) && !waits(words.at(-1));
}

/** A participle may be a verb that has its object behind it: `called`, `acquired`. */
function waits(word = ''): boolean {
  return STOP_WORDS.has(word) || GOVERNING.has(word) || /\p{L}ed$/u.test(word);
}

/**
 * Whether a link's words name what it leads to: by author and year, by who publishes it, by its title. A link to the front page
 * of a site names the site, which may as well be what the sentence is about.
 */
function namesSource(words: string, url: string): boolean {
  const plain = words.replace(/\s+/g, ' ').trim();
  if (CITING.has(plain.toLowerCase()) || AUTHOR_YEAR.test(plain)) return true;
  const address = parsedUrl(url);
  if (address === null || !/[^/]/.test(address.pathname)) return false;
  return namesPublisher(plain, hostLabels(address.hostname)) || namesTitle(plain, address.pathname);
}

/** Whether a word is of the name of the site, which goes on in the link: `Fraunhofer [ISE](…)`. */
function isOfSite(word: string, url: string): boolean {
  return hostLabels(parsedUrl(url)?.hostname ?? '').includes(word.toLowerCase());
}

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
