import { NUMBERED_WORD } from '../marks/labels';

export interface EntryMark {
  label: string;
  /** Letters to the end of the mark. */
  length: number;
  /** As citations are written: `[1]`; a list's own numbers are `1.` and `1)`. */
  isBracketed: boolean;
}

const BULLET = /^[ \t]*(?:[-*+•·▪◦]\s+)?(?:\*\*|__)?/;
const BRACKETED = /^\\?[[【［〔](\^?[\p{L}\p{N}][\p{L}\p{N}_.:&+-]{0,30})\\?[\]】］〕](?!\()/u;
const LINKED = /^\[\\?\[?(\d{1,4})\\?\]?\]\([^()\s]*\)/;
const NUMBERED = /^\(?(\d{1,3})(?:[.)、．]|\\[.)])(?=\D)/;
/** `Source 1: …` */
const WORDED = new RegExp(String.raw`^${NUMBERED_WORD}(\d{1,3})\s*(?=[:：.)\-–—])`, 'iu');
const RAISED = /^(?:([⁰¹²³⁴-⁹]{1,3})|<sup>\[?(\d{1,3})\]?<\/sup>)/;
const BEHIND = /^(?:\*\*|__)?[ \t]*[:：.]?[ \t]*/;

/** The mark at the start of a line as written; null where it has none. */
export function entryMark(line: string): EntryMark | null {
  const before = BULLET.exec(line)?.[0].length ?? 0;
  const rest = line.slice(before, before + 200);
  const bracketed = BRACKETED.exec(rest) ?? LINKED.exec(rest) ?? WORDED.exec(rest);
  const match = bracketed ?? NUMBERED.exec(rest) ?? RAISED.exec(rest);
  const label = (match?.[1] ?? match?.[2])?.normalize('NFKC').replace(/^\^/, '');
  if (match === null || label === undefined) return null;
  const isBracketed = bracketed !== null;
  // `[Draft] A text` begins with a word in brackets; a name by which something is cited holds a number.
  if (isBracketed && !/\d/.test(label)) return null;
  const length = before + match[0].length;
  return { label, isBracketed, length: length + (BEHIND.exec(line.slice(length))?.[0].length ?? 0) };
}
