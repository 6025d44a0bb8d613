import { tokensOf } from '../language/tokens';
import type { Collection } from './collection';
import type { RankedSentence } from './rank-sentences';

export interface ChoiceLimits {
  most: number;
  mostOfASource: number;
  /** What is kept covers so much of what the best ones cover. */
  nearBest: number;
}

export const CHOICE: ChoiceLimits = { most: 15, mostOfASource: 3, nearBest: 0.61 };

/** So many sentences say how well a question can be covered. */
const BEST = 3;
/** Sentences of whose words so many are in another's say the same. */
const OVERLAP = 0.7;

/** The sentences that answer, best first: those that cover nearly as much as the best, none that says what another does. */
export function chooseSentences(
  ranked: readonly RankedSentence[],
  { texts }: Collection,
  { most, mostOfASource, nearBest }: ChoiceLimits = CHOICE,
): RankedSentence[] {
  const best = ranked.slice(0, BEST);
  const wanted =
    (nearBest * best.reduce((sum, { coverage }) => sum + coverage, 0)) / Math.max(1, best.length);
  const chosen: RankedSentence[] = [];
  const perSource = new Map<number, number>();
  const said: ReadonlySet<string>[] = [];
  for (const candidate of ranked) {
    if (chosen.length >= most) break;
    const already = perSource.get(candidate.source) ?? 0;
    if (candidate.coverage < wanted || already >= mostOfASource) continue;
    const words = new Set(tokensOf(texts[candidate.sentence] ?? ''));
    if (said.some((other) => overlap(words, other) > OVERLAP)) continue;
    chosen.push(candidate);
    perSource.set(candidate.source, already + 1);
    said.push(words);
  }
  return chosen;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / Math.max(1, Math.min(one.size, other.size));
}
