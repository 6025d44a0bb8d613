import { eitherOf } from '../core/values/either-of';

/** Brackets that cite, as a writer was told to write them (document 003): `[2]`, `[1-3]`, `[1, 3]`, `[1-3, 5]`. */
export interface CitedRange {
  /** Of the brackets within the text; `end` exclusive. */
  start: number;
  end: number;
  /** In their order as written, ranges expanded, without repeats. */
  numbers: number[];
}

/** More than any answer has passages; what would cite more is no citation, and `[1-100000]` costs nothing. */
const MOST_NUMBERS = 200;

/** With what stands in brackets before the page of a passage's label: `[3: p.5-6]` is 3. */
const BRACKETS = /\[(?<list>[\d\s,;‐-―−-]{1,200})(?::\s*pp?\.?\s*[\d\s,‐-―−-]{1,40})?\]/g;
const PART = /^(\d{1,3})(?:\s*[‐-―−-]\s*(\d{1,3}))?$/;
/** Labels that the text defines as links. */
const DEFINED = /^ {0,3}\[([^\]\n]{1,200})\]:/gm;

/** The brackets of a Markdown text that cite by number, in their order; none in code, links and definitions of links. */
export function citedRanges(markdown: string): CitedRange[] {
  const prose = proseOnly(markdown);
  const defined = new Set([...markdown.matchAll(DEFINED)].map(([, label]) => label));
  return [...prose.matchAll(BRACKETS)].flatMap((match) => {
    const numbers = expanded(match.groups?.list ?? '');
    if (numbers === null || defined.has(match[0].slice(1, -1))) return [];
    return [{ start: match.index, end: match.index + match[0].length, numbers }];
  });
}

/** Null for what is no list of numbers and ranges, or of more than may be. */
function expanded(list: string): number[] | null {
  const numbers = new Set<number>();
  for (const part of list.split(/[,;]/)) {
    const match = PART.exec(part.trim());
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? first);
    const [from, to] = first <= last ? [first, last] : [last, first];
    if (match === null || from < 1 || to - from >= MOST_NUMBERS) return null;
    for (let number = from; number <= to; number += 1) numbers.add(number);
    if (numbers.size > MOST_NUMBERS) return null;
  }
  return [...numbers];
}

const FENCED = /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|(?![\s\S]))/;
const CODE = /(?<!`)(?<ticks>`+)(?!`)[\s\S]{1,2000}?(?<!`)\k<ticks>(?!`)/;
/** A link or an image with its target, brackets within its text included. */
const LINK = /!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,500}\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:.*$/;
const ADDRESS = /<https?:[^<>\s]*>|https?:\/\/[^\s[\]]*/;
const ESCAPED = /\\[[\]]/;

const NOT_PROSE = eitherOf([FENCED, CODE, LINK, DEFINITION, ADDRESS, ESCAPED], 'gm');

/** The text with spaces for what is code, a link, an address or an escaped bracket of Markdown; offsets stay. */
function proseOnly(markdown: string): string {
  return markdown.replace(NOT_PROSE, (part) => part.replace(/[^\n]/g, ' '));
}
