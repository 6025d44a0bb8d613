import { stemOf, STOP_WORDS } from './words';

/** Finds which of the wanted terms a text has: `terms(text)` without repeats, kept to those wanted. */
export type TermFinder = (text: string) => Set<string>;

/** Most words of a text are not wanted: they are passed over by their first two letters, before anything is made of them. */
export function termFinder(wanted: ReadonlySet<string>): TermFinder {
  const openings = new Set<number>();
  for (const term of wanted) openings.add(openingOf(term, 0, term.length));
  return (text) => {
    const held = new Set<string>();
    const lowered = text.toLowerCase();
    for (let at = 0; at < lowered.length;) {
      const start = at;
      at = endOfWord(lowered, start);
      if (at === start) {
        at += 1;
        continue;
      }
      if (at - start < 2) continue;
      if (!openings.has(openingOf(lowered, start, at)) && !openings.has(lowered.charCodeAt(start))) continue;
      const word = lowered.slice(start, at);
      if (STOP_WORDS.has(word)) continue;
      const term = stemOf(word);
      if (wanted.has(term)) held.add(term);
    }
    return held;
  };
}

const LOWER_I = 0x69;
const LOWER_Y = 0x79;

/**
 * What a word has in common with its stem: the first two letters, where a `y` may become an `i` (dying, die); of a stem of
 * one letter (that of `d's`) the one.
 */
function openingOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  if (end - start < 2) return first;
  const second = text.charCodeAt(start + 1);
  return first + 0x10000 * (second === LOWER_Y ? LOWER_I : second);
}

/** As `words` has it: letters and digits, in parts that are joined by one of `- ' ’ .`; `start` itself where there is none. */
function endOfWord(text: string, start: number): number {
  let end = start;
  for (;;) {
    const partStart = end;
    for (let units = wordUnits(text, end); units > 0; units = wordUnits(text, end)) end += units;
    if (end === partStart) return end === start ? start : end - 1;
    if (!isJoint(text.charCodeAt(end))) return end;
    end += 1;
  }
}

function isJoint(code: number): boolean {
  return code === 0x2d || code === 0x27 || code === 0x2019 || code === 0x2e;
}

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
const UNKNOWN = 0;
const OTHER = 1;
const OF_WORDS = 2;
const kinds = new Uint8Array(0x10000);

/** How many UTF-16 units the letter or digit at a place has; 0 where there is none. */
function wordUnits(text: string, at: number): number {
  if (at >= text.length) return 0;
  const code = text.charCodeAt(at);
  let kind = kinds[code] ?? UNKNOWN;
  if (kind === UNKNOWN) {
    kind = LETTER_OR_DIGIT.test(String.fromCharCode(code)) ? OF_WORDS : OTHER;
    kinds[code] = kind;
  }
  if (kind === OF_WORDS) return 1;
  const isPair = code >= 0xd800 && code <= 0xdbff && LETTER_OR_DIGIT.test(text.slice(at, at + 2));
  return isPair ? 2 : 0;
}
