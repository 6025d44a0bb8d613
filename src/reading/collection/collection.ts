import { tokensOf } from '../../language/tokens';
import { stemOf } from '../../language/words';

export interface ReadableSource {
  id: string;
  title: string;
  sentences: readonly string[];
  /** Stems that stand elsewhere in it, where these are not all of its sentences. */
  alsoHolds?: readonly string[] | undefined;
}

export interface IndexedSource {
  id: string;
  title: string;
  titleWords: ReadonlySet<number>;
  alsoHolds: readonly string[];
  /** Places of its sentences in the collection, `to` exclusive. */
  from: number;
  to: number;
}

/** Sentences with their words as numbers, so that a question is held against all of them in one go. */
export interface Collection {
  sources: readonly IndexedSource[];
  texts: readonly string[];
  /** For each sentence the source's place, and its stems in order. */
  sourceOf: Int32Array;
  stems: readonly Int32Array[];
  vocabulary: ReadonlyMap<string, number>;
  /** In how many sentences a stem stands, by its number. */
  holders: Int32Array;
  averageLength: number;
}

class Numbering {
  readonly numbers = new Map<string, number>();
  readonly #byToken = new Map<string, number>();

  of(token: string): number {
    const known = this.#byToken.get(token);
    if (known !== undefined) return known;
    const stem = stemOf(token);
    const number = this.numbers.get(stem) ?? this.numbers.size;
    this.numbers.set(stem, number);
    this.#byToken.set(token, number);
    return number;
  }
}

export function indexSources(sources: readonly ReadableSource[]): Collection {
  const numbering = new Numbering();
  const numbersOf = (text: string): Int32Array =>
    Int32Array.from(tokensOf(text).map((token) => numbering.of(token)));
  const texts: string[] = [];
  const stems: Int32Array[] = [];
  const places: number[] = [];
  const indexed = sources.map(({ id, title, sentences, alsoHolds = [] }, place): IndexedSource => {
    const from = texts.length;
    for (const text of sentences) {
      texts.push(text);
      stems.push(numbersOf(text));
      places.push(place);
    }
    return { id, title, titleWords: new Set(numbersOf(title)), alsoHolds, from, to: texts.length };
  });
  return {
    sources: indexed,
    texts,
    sourceOf: Int32Array.from(places),
    stems,
    vocabulary: numbering.numbers,
    holders: countHolders(stems, numbering.numbers.size),
    averageLength: Math.max(
      1,
      stems.reduce((sum, { length }) => sum + length, 0) / Math.max(1, stems.length),
    ),
  };
}

function countHolders(stems: readonly Int32Array[], size: number): Int32Array {
  const holders = new Int32Array(size);
  const lastSeen = new Int32Array(size).fill(-1);
  stems.forEach((numbers, sentence) => {
    for (const number of numbers) {
      if (lastSeen[number] === sentence) continue;
      lastSeen[number] = sentence;
      holders[number] = (holders[number] ?? 0) + 1;
    }
  });
  return holders;
}
