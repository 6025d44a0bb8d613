import type { ClaimWords } from './claim-words';
import type { IndexedPassages, WordPlaces } from './index-passages';

/** Two words are near where the second is at most so many places from the first, in either order. */
const REACH = 5;

/** The weighted share of a claim's word pairs that stand near each other somewhere; 0 of a claim without pairs. */
export function nearPairs(
  { words, pairs }: ClaimWords,
  weights: Float64Array,
  passages: IndexedPassages,
): number {
  const placesOf = words.map((word) => passages.words.get(word));
  let near = 0;
  let whole = 0;
  for (const [one, next] of pairs) {
    const weight = (weights[one] ?? 0) + (weights[next] ?? 0);
    whole += weight;
    if (areNear(placesOf[one], placesOf[next])) near += weight;
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
