import { eitherOf } from '../../core/values/either-of';
import type { InlineSpan, InlineText } from '../markdown/inline-text';
import type { Known } from './bracket-marks';
import { labelsIn } from './labels';
import type { Mark } from './mark';

/** A mark that leads to an address. */
export interface AddressMark extends Mark {
  url: string;
  /** A link's own words, where they are words. */
  words?: string;
}

const WEB = /^(?:https?:\/\/|www\.)[^\s/]/i;
const OPENS = '([<（【［〔';
const CLOSES = ')]>）】］〕';
/** Words of a link that are no words of the sentence: a number, an address, the name of a site, an arrow. */
const NO_WORDS = eitherOf(
  [
    /^\d{1,4}$/,
    /^(?:https?:\/\/|www\.)\S+$/,
    /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/\S*)?$/u,
    /^[↗🔗↩*†‡]+$/u,
  ],
  'iu',
);
const BRACKETS_AROUND = /^[\s[\](（）【】]+|[\s[\])（）【】]+$/g;

/** `[text](url)`, `([text](url))`, `<url>`, `[url]`, a bare address; a link that says a known number is that citation. */
export function addressMarks({ text, spans }: InlineText, known: Known): (Mark | AddressMark)[] {
  return spans.flatMap((span): (Mark | AddressMark)[] => {
    if (span.kind === 'raised' || span.to === span.from) return [];
    const words = text.slice(span.from, span.to);
    const number = numberOf(words, known, WEB.test(span.url));
    if (number !== null) {
      const { from, to } = span;
      return [{ from, to, form: 'number', labels: number, cut: { from, to } }];
    }
    if (!WEB.test(span.url)) return [];
    const place = enclosed(text, span);
    const isCut = place.from < span.from || span.kind === 'address' || saysNothing(words);
    const form = span.kind === 'link' ? 'link' : 'address';
    const told = form === 'link' && !saysNothing(words) ? { words: words.replace(/\s+/g, ' ').trim() } : {};
    return [{ ...place, form, labels: [span.url], url: span.url, ...told, cut: isCut ? place : null }];
  });
}

function saysNothing(words: string): boolean {
  return NO_WORDS.test(words.replace(BRACKETS_AROUND, ''));
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
