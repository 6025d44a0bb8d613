import { unseenInLinks } from '../../core/text/links';
import { stripUnsafe } from '../../core/text/untrusted-text';

/**
 * Text as quotes are compared, with the place of each of its units in the original. Case, kinds of quotation marks and
 * dashes, white space, emphasis and what nobody sees (the address behind a link's words) make no difference; letters, digits and other signs do.
 */
export interface ComparableText {
  text: string;
  /** For each unit of `text`, where its character begins in the original, and where it ends. */
  starts: readonly number[];
  ends: readonly number[];
}

export function comparableText(original: string): ComparableText {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  let spaceSince = -1;
  const unseen = unseenInLinks(original);
  let next = 0;
  for (const character of original) {
    const start = at;
    at += character.length;
    while ((unseen[next]?.end ?? Infinity) <= start) next += 1;
    if (start >= (unseen[next]?.start ?? Infinity)) continue;
    const plain = comparableCharacter(character);
    if (plain === ' ') {
      if (spaceSince < 0) spaceSince = start;
      continue;
    }
    if (plain === '') continue;
    if (spaceSince >= 0 && units.length > 0) {
      units.push(' ');
      starts.push(spaceSince);
      ends.push(start);
    }
    spaceSince = -1;
    // By units, not by characters: the places have to match the result's offsets.
    for (let unit = 0; unit < plain.length; unit += 1) {
      units.push(plain.charAt(unit));
      starts.push(start);
      ends.push(at);
    }
  }
  return { text: units.join(''), starts, ends };
}

const known = new Map<string, string>();

function comparableCharacter(character: string): string {
  const kept = known.get(character);
  if (kept !== undefined) return kept;
  const plain = folded(character);
  if (known.size < 50_000) known.set(character, plain);
  return plain;
}

function folded(character: string): string {
  if (/[\s\u00a0]/u.test(character)) return ' ';
  if (/[*_`~\\]/.test(character)) return '';
  if (/["“”„‟«»‹›]/u.test(character)) return '"';
  if (/['’‘‚‛ʼ]/u.test(character)) return "'";
  if (/[-‐‑‒–—―−]/u.test(character)) return '-';
  return stripUnsafe(character).normalize('NFKC').toLowerCase().trim();
}

/** The parts of a quote that ellipses stand between. */
export function quoteParts(quote: string): string[] {
  return quote.split(/\s*(?:\[\s*)?(?:…|\.{3,})(?:\s*\])?\s*/);
}

/** Comparable text without the marks around it: a quote may end where its source goes on. */
export function withoutEndMarks(comparable: string): string {
  return comparable.replace(/^["'\s]+|["'\s.,;:!?]+$/g, '');
}
