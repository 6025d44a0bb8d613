import { terms } from '../../language/words';
import { isGeneric } from './generic-words';

/** What the topic needs of a source. */
export interface TopicSource {
  title: string;
  passages: readonly { text: string }[];
}

const MAX_PASSAGES_PER_SOURCE = 40;
const MAX_ASSOCIATED = 40;
const MIN_SOURCES = 3;

/**
 * Stems that the sources use together with a concept, in the same paragraph, more often than elsewhere: strength 0–1 by
 * lift, for stems that do so in several sources. A broad question is understood by the company its words keep.
 */
export function associatedStems(
  concept: readonly string[],
  sources: readonly TopicSource[],
): Map<string, number> {
  const together = new Map<string, number>();
  const apart = new Map<string, number>();
  let withConcept = 0;
  let without = 0;
  const first = concept.map((stem) => (stem.includes(' ') ? stem : stem.slice(0, 6)));
  for (const source of sources) {
    const near = new Set<string>();
    const far = new Set<string>();
    for (const { text } of source.passages.slice(0, MAX_PASSAGES_PER_SOURCE)) {
      const lower = text.length > 1_500 ? text.slice(0, 1_500).toLowerCase() : text.toLowerCase();
      const mentions = first.every((prefix) => lower.includes(prefix));
      if (!mentions && far.size > 250) continue;
      for (const stem of terms(lower)) (mentions ? near : far).add(stem);
    }
    if (near.size > 0) withConcept += 1;
    if (far.size > 0) without += 1;
    for (const stem of near) together.set(stem, (together.get(stem) ?? 0) + 1);
    for (const stem of far) apart.set(stem, (apart.get(stem) ?? 0) + 1);
  }
  if (withConcept < MIN_SOURCES) return new Map();
  return new Map(
    [...together]
      .filter(
        ([stem, count]) =>
          count >= MIN_SOURCES && stem.length > 2 && !isGeneric(stem) && !concept.includes(stem),
      )
      .map(([stem, count]): [string, number] => {
        const lift = (count + 0.5) / (withConcept + 1) / (((apart.get(stem) ?? 0) + 0.5) / (without + 1));
        return [stem, Math.max(0, Math.min(1, Math.log2(lift) / 2)) * Math.min(1, count / withConcept / 0.4)];
      })
      .filter(([, strength]) => strength > 0.15)
      .sort(([a, strengthA], [b, strengthB]) => strengthB - strengthA || (a < b ? -1 : 1))
      .slice(0, MAX_ASSOCIATED),
  );
}
