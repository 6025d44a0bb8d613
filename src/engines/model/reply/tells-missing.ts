import { isNegated } from '../../../language/negation';
import { type PlacedWord, placedWords } from '../../../language/word-positions';
import { stemOf } from '../../../language/words';
import data from './data/missing-words.json';

const stems = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(stemOf));
const tells = stems(data.tells);
const told = stems(data.told);
const lacking = stems(data.lacking);
const writer = new Set(data.writer);
const material = stems(data.material);
const looseMaterial = stems(data.looseMaterial);

/** A sentence that cites something is on what it cites, unless it opens with what is not told. */
const OPENING_WORDS = 8;

/**
 * Whether a sentence says that the given texts do not tell something: `I could not find …`, `the passages do not say …`. One
 * that cites a passage has to name the passages themselves: `No evidence of harm was found` is a result.
 */
export function tellsWhatIsMissing(sentence: string, { cites }: { cites: boolean }): boolean {
  const words = placedWords(sentence);
  const named = (set: ReadonlySet<string>): boolean => words.some(({ stem }) => set.has(stem));
  const isOnMaterial =
    named(material) || (!cites && (named(looseMaterial) || words.some(({ word }) => writer.has(word))));
  if (!isOnMaterial) return false;
  const at = words.findIndex((word, place) => isDenied(words, word, place));
  return at >= 0 && (!cites || at < OPENING_WORDS);
}

function isDenied(words: readonly PlacedWord[], { stem }: PlacedWord, place: number): boolean {
  return lacking.has(stem) || ((tells.has(stem) || told.has(stem)) && isNegated(words, place));
}

export function isOfTelling(stem: string): boolean {
  return [tells, told, lacking, material, looseMaterial].some((set) => set.has(stem));
}
