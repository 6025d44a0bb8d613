import { terms } from '../../language/words';

/**
 * How much each text says of what the texts of its group say together, 0–1: the cosine of its words with the group's centroid
 * (Radev et al. 2004), words weighing more the fewer of all texts hold them. A text alone in its group is as central as can be.
 */
export function centralityWithin(texts: readonly string[], groups: readonly string[]): number[] {
  const words = texts.map((text) => new Set(terms(text)));
  const holders = new Map<string, number>();
  for (const own of words) for (const word of own) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => Math.log(1 + texts.length / (holders.get(word) ?? 1));
  const centroids = new Map<string, Map<string, number>>();
  for (const [at, own] of words.entries()) {
    const group = groups[at] ?? '';
    const centroid = centroids.get(group) ?? new Map<string, number>();
    for (const word of own) centroid.set(word, (centroid.get(word) ?? 0) + weightOf(word));
    centroids.set(group, centroid);
  }
  const lengths = new Map([...centroids].map(([group, centroid]) => [group, lengthOf(centroid.values())]));
  return words.map((own, at) => {
    const group = groups[at] ?? '';
    let product = 0;
    for (const word of own) product += weightOf(word) * (centroids.get(group)?.get(word) ?? 0);
    const length = lengthOf([...own].map(weightOf)) * (lengths.get(group) ?? 0);
    return length === 0 ? 0 : product / length;
  });
}

function lengthOf(weights: Iterable<number>): number {
  let squares = 0;
  for (const weight of weights) squares += weight * weight;
  return Math.sqrt(squares);
}
