import type { ClaimWords } from './claim-words';
import type { IndexedPassage, WordPlaces } from './index-passage';

/** Two words are near each other where there are at most so many places from one to the other, in either order. */
const REACH = 5;

/** The weighted share of a claim's word pairs that stand near each other somewhere; 0 of a claim without pairs. */
export function nearPairs(
  { words, pairs }: ClaimWords,
  weights: Float64Array,
  passages: readonly IndexedPassage[],
): number {
  const placesOf = passages.map((passage) => words.map((word) => passage.words.get(word)));
  let near = 0;
  let whole = 0;
  for (const [one, next] of pairs) {
    const weight = (weights[one] ?? 0) + (weights[next] ?? 0);
    whole += weight;
    if (placesOf.some((places) => areNear(places[one], places[next]))) near += weight;
  }
  return whole === 0 ? 0 : near / whole;
}

/** Walks along both, as each is in its order. */
function areNear(one: WordPlaces | undefined, other: WordPlaces | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  let [first, second] = [0, 0];
  while (first < one.places.length && second < other.places.length) {
    const distance = (one.places[first] ?? 0) - (other.places[second] ?? 0);
    if (Math.abs(distance) <= REACH) return true;
    if (distance < 0) first += 1;
    else second += 1;
  }
  return false;
}
