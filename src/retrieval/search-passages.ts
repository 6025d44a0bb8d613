import { stemsMeeting } from './asked-stems';
import type { CorpusLayout } from './corpus-layout';

/** BM25's usual saturation and length normalisation. */
const K1 = 1.2;
const B = 0.75;
/** A word of its source's title counts for a passage as if it stood in it so often. */
const TITLE_TIMES = 0.5;

export interface Searched {
  layout: CorpusLayout;
  titles: readonly ReadonlySet<string>[];
}

/**
 * The places of the passages that hold most of the words, best first by BM25 with these weights. A word's other forms count by
 * their share. Ties are in the order of the corpus.
 */
export function searchPassages(
  { layout, titles }: Searched,
  { words, weights, most }: { words: readonly string[]; weights: Float64Array; most: number },
): number[] {
  const scores = new Float64Array(layout.passages);
  const times = new Float32Array(layout.passages);
  const lengths = passageTokens(layout);
  const found: number[] = [];
  words.forEach((word, column) => {
    const weight = weights[column] ?? 0;
    const touched = holdingPassages(layout, word, times);
    for (const passage of touched) {
      const title = titles[layout.sourceOf[passage] ?? 0]?.has(word) === true ? TITLE_TIMES : 0;
      const held = (times[passage] ?? 0) + title;
      const norm = K1 * (1 - B + (B * (lengths.of[passage] ?? 0)) / lengths.average);
      if (scores[passage] === 0) found.push(passage);
      scores[passage] = (scores[passage] ?? 0) + (weight * held * (K1 + 1)) / (held + norm);
      times[passage] = 0;
    }
  });
  const least =
    Float64Array.from(found, (passage) => scores[passage] ?? 0)
      .sort()
      .at(-most) ?? 0;
  return found
    .filter((passage) => (scores[passage] ?? 0) >= least)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, most);
}

/** Adds to `times` how often each passage has the word, and tells which have it. */
function holdingPassages(layout: CorpusLayout, word: string, times: Float32Array): number[] {
  const touched: number[] = [];
  for (const { stem, share } of stemsMeeting(word, layout.stems)) {
    layout.eachHolder(stem, (sentence, count) => {
      const first = layout.passageOf[sentence] ?? 0;
      for (
        let passage = first;
        (layout.passageFrom[passage] ?? Infinity) <= sentence && sentence < (layout.passageTo[passage] ?? 0);
        passage += 1
      ) {
        if (times[passage] === 0) touched.push(passage);
        times[passage] = (times[passage] ?? 0) + share * count;
      }
    });
  }
  return touched;
}

const tokensBy = new WeakMap<CorpusLayout, { of: Uint32Array; average: number }>();

function passageTokens(layout: CorpusLayout): { of: Uint32Array; average: number } {
  const known = tokensBy.get(layout);
  if (known !== undefined) return known;
  const of = layout.passageFrom.map((from, passage) => {
    let sum = 0;
    for (let at = from; at < (layout.passageTo[passage] ?? 0); at += 1) sum += layout.sentenceTokens[at] ?? 0;
    return sum;
  });
  const average = Math.max(1, of.reduce((sum, count) => sum + count, 0) / Math.max(1, of.length));
  const tokens = { of, average };
  tokensBy.set(layout, tokens);
  return tokens;
}
