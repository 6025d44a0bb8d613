import { withoutCitationMarks } from '../../language/citation-marks';
import { terms } from '../../language/words';

/** What of a claim is looked for. */
export interface ClaimWords {
  /** As it was read: without citation marks. */
  text: string;
  /** Its distinct content words, as stems, in order. */
  words: readonly string[];
  /** Each two that follow each other, by their places among the words. */
  pairs: readonly (readonly [number, number])[];
  /** The places of the words that are names or parts of names. */
  names: readonly number[];
}

/** A capital within a sentence, or a second one within a word. */
const NAME_WITHIN = String.raw`(?<=[\p{L}\p{N},;:)”"’'(]\s+["“(]?)\p{Lu}[\p{L}\p{N}'’-]*`;
const ACRONYM = String.raw`\p{Lu}\p{L}*\p{Lu}[\p{L}\p{N}-]*`;
const NAME = new RegExp(`${NAME_WITHIN}|${ACRONYM}`, 'gu');

export function claimWords(claim: string): ClaimWords {
  const text = withoutCitationMarks(claim);
  const inOrder = terms(text);
  const words = [...new Set(inOrder)];
  const placeOf = new Map(words.map((word, at) => [word, at]));
  const places = inOrder.flatMap((word) => placeOf.get(word) ?? []);
  const named = [...text.matchAll(NAME)].flatMap(([name]) => terms(name));
  return {
    text,
    words,
    pairs: places.flatMap((place, at) => {
      const next = places[at + 1];
      return next === undefined || next === place ? [] : [[place, next] as const];
    }),
    names: [...new Set(named)].flatMap((word) => placeOf.get(word) ?? []),
  };
}
