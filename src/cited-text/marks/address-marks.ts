import { eitherOf } from '../../core/values/either-of';
import type { InlineSpan, InlineText } from '../markdown/inline-text';
import type { Known } from './bracket-marks';
import { labelsIn } from './labels';
import type { Mark } from './mark';
import { isOfSite, namesSource } from './names-source';
import { isAwaited, isWithin, standsApart } from './stands-apart';

/** A mark that leads to an address. */
export interface AddressMark extends Mark {
  url: string;
  /** A link's own words, where they are words. */
  words?: string;
}

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

/** `[text](url)`, `([text](url))`, `<url>`, `[url]`, a bare address; a link that says a known number is that citation. */
export function addressMarks({ text, spans }: InlineText, known: Known): (Mark | AddressMark)[] {
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
