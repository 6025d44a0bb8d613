import type { Collection } from './collection';
import { type Postings, postingsOf } from './postings';
import type { Question } from './question';
import { countWords, weightsOf } from './rarity';

/** A collection made ready for asking which of its sources answer; made once, asked often. */
export interface SourceIndex {
  collection: Collection;
  postings: Postings;
  /** How many words each source has. */
  lengths: Float64Array;
  averageLength: number;
}

export interface RankedSource {
  /** Its place in the collection. */
  source: number;
  score: number;
}

const K1 = 1.2;
const B = 0.75;
/** A source is as good as so many of its sentences: one alone may say a word by chance. */
const BEST_SENTENCES = 3;

export function indexForRanking(collection: Collection): SourceIndex {
  const { sources, stems } = collection;
  const lengths = Float64Array.from(sources, ({ from, to }) => {
    let words = 0;
    for (let sentence = from; sentence < to; sentence += 1) words += stems[sentence]?.length ?? 0;
    return words;
  });
  const all = lengths.reduce((sum, words) => sum + words, 0);
  return {
    collection,
    postings: postingsOf(collection),
    lengths,
    averageLength: Math.max(1, all / Math.max(1, sources.length)),
  };
}

/**
 * The sources that have a word of the question, those that answer it first: the mean of BM25 over their best three sentences,
 * and BM25 over their whole text, each as a share of the question's weight, added up. Neither has a weight.
 */
export function rankSources(question: Question, index: SourceIndex): RankedSource[] {
  const { sources } = index.collection;
  const whole = wholeTexts(question, index);
  const best = bestSentences(question, index);
  return sources
    .map((_source, source): RankedSource => ({ source, score: (whole[source] ?? 0) + (best[source] ?? 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.source - b.source);
}

/** BM25 of each source's whole text, with rarity counted in sources. */
function wholeTexts(
  { words }: Question,
  { collection, postings, lengths, averageLength }: SourceIndex,
): Float64Array {
  const { sources, sourceOf } = collection;
  const scores = new Float64Array(sources.length);
  let wholeWeight = 0;
  for (const word of words) {
    const counts = new Float64Array(sources.length);
    forEachHolder(word, collection, postings, (sentence, count) => {
      const source = sourceOf[sentence] ?? 0;
      counts[source] = (counts[source] ?? 0) + count;
    });
    const holders = counts.reduce((sum, count) => sum + Number(count > 0), 0);
    const weight = Math.log(1 + (sources.length - holders + 0.5) / (holders + 0.5));
    wholeWeight += weight;
    counts.forEach((count, source) => {
      if (count > 0)
        scores[source] =
          (scores[source] ?? 0) + weight * saturated(count, (lengths[source] ?? 0) / averageLength);
    });
  }
  return scores.map((score) => score / (wholeWeight || 1));
}

/** The mean BM25 of each source's best sentences, with rarity counted in sentences. */
function bestSentences(question: Question, { collection, postings }: SourceIndex): Float64Array {
  const { sources, stems, averageLength } = collection;
  const weights = weightsOf(question, countWords(question, collection));
  const scores = new Float64Array(stems.length);
  question.words.forEach((word, column) => {
    const weight = weights[column] ?? 0;
    forEachHolder(word, collection, postings, (sentence, count) => {
      const length = (stems[sentence]?.length ?? 0) / averageLength;
      scores[sentence] = (scores[sentence] ?? 0) + weight * saturated(count, length);
    });
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return Float64Array.from(sources, ({ from, to }) => {
    const best = scores.slice(from, to).sort().subarray(-BEST_SENTENCES);
    return best.reduce((sum, score) => sum + score, 0) / BEST_SENTENCES / whole;
  });
}

function forEachHolder(
  word: string,
  { vocabulary }: Collection,
  { starts, sentences, counts }: Postings,
  take: (sentence: number, count: number) => void,
): void {
  const number = vocabulary.get(word);
  if (number === undefined) return;
  const end = starts[number + 1] ?? 0;
  for (let entry = starts[number] ?? 0; entry < end; entry += 1)
    take(sentences[entry] ?? 0, counts[entry] ?? 0);
}

/** `length` as a multiple of the average. */
function saturated(count: number, length: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
}
