import { STOP_WORDS, stemOf, words } from '../../language/words';
import { type Bearing, CIRCUMSTANCES } from './circumstance-patterns';

/** A part of a sentence that tells under what its statement holds: `regardless of age`, `but not at 12 months`. */
export interface Circumstance {
  bearing: Bearing;
  /** The stems, and the figures, of what it names. */
  terms: readonly string[];
  /** In the sentence's words, with what tells its bearing. */
  text: string;
  start: number;
  end: number;
}

/** Words that tell the bearing of a circumstance and nothing of what it names. */
const BEARING_WORDS: ReadonlySet<string> = new Set(
  `independent independently regardless irrespective irrespectively depend depends depended depending dependent conditional
  contingent varied varies varying explained mediated accounted accounting adjusting adjusted adjustment adjustments controlling
  correcting correction corrections allowing presence absence without only solely exclusively persist remained significant matter
  strongly largely partly fully entirely further additional full`
    .split(/\s+/)
    .map(stemOf),
);

/** Under what a sentence says that its statement holds, or does not. The text must be plain (`plainText`). */
export function circumstancesIn(plain: string): Circumstance[] {
  const found: Circumstance[] = [];
  for (const [bearing, pattern] of CIRCUMSTANCES) {
    for (const match of plain.matchAll(pattern)) {
      const text = match[0].trimEnd();
      const [start, end] = [match.index, match.index + text.length];
      if (found.some((other) => start < other.end && end > other.start)) continue;
      const terms = circumstanceTerms(text);
      if (terms.length === 0) continue;
      const told = { bearing, text: text.replace(/\s+/g, ' '), start };
      const joined = bearing === 'not-there' ? JOINED.exec(text) : null;
      // "during but not after exercise": what comes last belongs to both.
      if (joined !== null && PLACED_BEFORE.test(plain.slice(0, start)))
        found.push({ ...told, terms: [placedTerm(joined[1]), ...terms], end: start + joined[0].length });
      else found.push({ ...told, terms, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

const JOINED = /^(?:but|and|,) not,? (before|after|during|with|without)\b/i;
const PLACED_BEFORE = /\b(?:before|after|during|with|without),?\s*$/i;

/** Where only the preposition tells two places apart it is a term as well. */
function placedTerm(preposition: string | undefined): string {
  return `${(preposition ?? '').toLowerCase()} …`;
}

/** The prepositions of a text as such terms. */
export function placedTerms(text: string): string[] {
  return [...text.matchAll(/\b(?:before|after|during|with|without)\b/gi)].map(([word]) => placedTerm(word));
}

/** The stems and figures of a phrase, each once. */
export function circumstanceTerms(text: string): string[] {
  return [
    ...new Set(
      words(text)
        .flatMap((word) => word.split('-'))
        .filter((word) => word !== '' && !STOP_WORDS.has(word))
        .map(stemOf)
        .filter((term) => !BEARING_WORDS.has(term)),
    ),
  ];
}

const BESIDE_THE_EFFECT: ReadonlySet<Bearing> = new Set(['whatever', 'depending', 'adjusted', 'unadjusted']);
const ANOTHER_TIME = /^(?:but|and|,) not,? (?:at|after|during|before|within|following|over)\b/i;

/** Whether a circumstance says nothing of what was done or what came of it; "but not in the control group" may tell the comparison. */
export function isApartFromEffect({ bearing, text }: Circumstance): boolean {
  return BESIDE_THE_EFFECT.has(bearing) || (bearing === 'not-there' && ANOTHER_TIME.test(text));
}

/** The text with the circumstances replaced by as many spaces. */
export function withoutCircumstances(text: string, circumstances: readonly Circumstance[]): string {
  return circumstances.reduce(
    (left, { start, end }) => `${left.slice(0, start)}${' '.repeat(end - start)}${left.slice(end)}`,
    text,
  );
}
