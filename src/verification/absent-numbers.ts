import { numbersIn, type TextNumber } from '../language/numbers';
import { roundsTo } from '../language/same-number';
import { isPartOfName } from './statement-tokens';

/** So many things a writer may have counted: `two trials`. */
const COUNTED_BY_WRITERS = 12;

/** `the 24th week` is week 24. */
const ORDINAL = /(\d+)(?:st|nd|rd|th)\b/g;

/** A sentence, or another text, that numbers are looked for in. */
export interface NumberedSentence {
  numbers: readonly { number: TextNumber }[];
  /** Told as ordinals. */
  places: ReadonlySet<number>;
}

export function numberedTexts(texts: readonly string[]): NumberedSentence[] {
  return texts.map((text) => ({
    numbers: countable(text),
    places: new Set([...text.matchAll(ORDINAL)].map(([, digits]) => Number(digits))),
  }));
}

/**
 * The numbers of a claim, as written, that no sentence holds, not even rounded or in another unit. What is only about right
 * (`almost two in five`), what may be a count of the sources themselves (`two trials`) and `doubled` are not told.
 */
export function absentNumbers(claim: string, sentences: readonly NumberedSentence[]): string[] {
  return countable(claim)
    .filter(({ number }) => !number.isApproximate && number.unit !== '×')
    .filter(({ number }) => !(number.isWord && number.unit === '' && number.value <= COUNTED_BY_WRITERS))
    .filter(
      ({ number }) =>
        !sentences.some(
          ({ numbers, places }) =>
            places.has(number.value) || numbers.some((other) => isHeld(number, other.number)),
        ),
    )
    .map(({ written }) => written);
}

function countable(text: string): { number: TextNumber; written: string }[] {
  const plain = text.normalize('NFKC').replace(/[‐‑]/g, '-');
  return numbersIn(plain)
    .filter((number) => !isPartOfName(plain, number))
    .map((number) => ({
      number,
      written: plain.slice(number.start, Math.max(number.end, number.endOfUnit)),
    }));
}

function isHeld(claimed: TextNumber, held: TextNumber): boolean {
  // A sign may be told in words: a difference of −0.05 is a fall by 0.05.
  return (
    roundsTo({ ...claimed, isApproximate: false }, held) ||
    roundsTo({ ...claimed, value: Math.abs(claimed.value) }, { ...held, value: Math.abs(held.value) })
  );
}
