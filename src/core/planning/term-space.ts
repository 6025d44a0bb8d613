import type { Collection } from './collection';
import type { Phrase } from './phrases';

/** Sources as sparse unit vectors over phrases; both directions, so that terms find sources and sources terms. */
export interface TermSpace {
  collection: Collection;
  phrases: Phrase[];
  idf: Float64Array;
  /** For each source its terms, and their weights; the squares of the weights add up to 1. */
  terms: Int32Array[];
  weights: Float64Array[];
}

/** A term in more than this share of many sources tells them apart too little. */
const TOO_COMMON = 0.45;
const FEW = 60;

/** `asked` are the question's own stems: their terms are kept however common they are. */
export function buildTermSpace(
  collection: Collection,
  phrases: readonly Phrase[],
  asked: ReadonlySet<string> = new Set(),
): TermSpace {
  const total = collection.sources.length;
  const isAsked = (phrase: Phrase): boolean =>
    phrase.stems.every((stem) => asked.has(collection.stems[stem] ?? ''));
  const kept =
    total < FEW
      ? [...phrases]
      : phrases.filter((phrase) => phrase.sources.length <= TOO_COMMON * total || isAsked(phrase));
  const idf = Float64Array.from(
    kept.map((phrase) => Math.log(1 + total / phrase.sources.length) * worth(collection, phrase)),
  );
  const terms: number[][] = collection.sources.map(() => []);
  const weights: number[][] = collection.sources.map(() => []);
  kept.forEach((phrase, term) => {
    phrase.sources.forEach((source, at) => {
      terms[source]?.push(term);
      weights[source]?.push((phrase.weights[at] ?? 0) * (idf[term] ?? 0));
    });
  });
  return {
    collection,
    phrases: kept,
    idf,
    terms: terms.map((list) => Int32Array.from(list)),
    weights: weights.map((list) => {
      const norm = Math.sqrt(list.reduce((sum, value) => sum + value * value, 0)) || 1;
      return Float64Array.from(list.map((value) => value / norm));
    }),
  };
}

function worth(collection: Collection, phrase: Phrase): number {
  const classes = phrase.stems.map((stem) => classOf(collection, stem));
  if (phrase.stems.length === 1) return classes[0] === 'heavy' ? 1 : 0.3;
  return classes.includes('heavy') ? 0.8 : 0.4;
}

const classes = new WeakMap<Collection, Map<number, string>>();

/** `heavy` where any spelling of the stem is. */
function classOf(collection: Collection, stem: number): string {
  let known = classes.get(collection);
  if (known === undefined) {
    known = new Map();
    for (const spelling of collection.spellings) {
      if (known.get(spelling.stem) !== 'heavy') known.set(spelling.stem, spelling.wordClass);
    }
    classes.set(collection, known);
  }
  return known.get(stem) ?? 'empty';
}
