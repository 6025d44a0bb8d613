import type { WordCounts } from '../contracts/report/word-counts';
import type { SourceEntry } from '../contracts/source/source';
import { terms } from '../language/words';
import { weightsOf } from '../reading/features/rarity';
import { type Question, readQuestion } from '../reading/question/question';
import { placeOf } from './asked-stems';
import { type CorpusLayout, readLayout } from './corpus-layout';
import { fuseRanks } from './fuse-ranks';
import { indexSource } from './index-source';
import { mergeSegments } from './merge-segments';
import { searchPassages } from './search-passages';

/** What an index says of its sources; their texts are elsewhere. */
export type IndexedEntry = Pick<
  SourceEntry,
  'id' | 'title' | 'file' | 'url' | 'author' | 'site' | 'publishedAt' | 'pages'
>;

/** A passage that was found: the places of its source and itself in the index. */
export interface FoundPassage {
  source: number;
  passage: number;
  start: number;
  end: number;
}

/** Passages of a corpus by their words. */
export interface CorpusIndex {
  readonly entries: readonly IndexedEntry[];
  readonly layout: CorpusLayout;
  /** By source: the stems of its title. */
  readonly titles: readonly ReadonlySet<string>[];
  readonly averageSentenceTokens: number;
  sizes(): { documents: number; passages: number; sentences: number; stems: number };
  /** In how many sentences of the whole corpus the question's words stand. */
  counts(question: string): WordCounts;
  /** The passages that fit any of the queries, best first; those of several queries are fused by their ranks. */
  search(queries: readonly string[], most: number): FoundPassage[];
  /** Where the passages of a source stand, in their order. */
  passagesOf(source: number): FoundPassage[];
  /** What passages, by their numbers, are. */
  passagesAt(numbers: readonly number[]): FoundPassage[];
  /** By source the question's words that stand anywhere in it, its title left out. */
  heldBySource(words: readonly string[]): string[][];
}

/** Indexes sources; texts are read once, and are not kept. */
export function buildCorpusIndex(sources: readonly { entry: IndexedEntry; content: string }[]): CorpusIndex {
  const merged = mergeSegments(sources.map(({ content }) => indexSource(content)));
  return readCorpusIndex(
    merged,
    sources.map(({ entry }) => entry),
  );
}

/** An index from what `mergeSegments` wrote; `entries` in the order of the segments. */
export function readCorpusIndex(merged: Uint8Array, entries: readonly IndexedEntry[]): CorpusIndex {
  const layout = readLayout(merged);
  if (layout.sources !== entries.length)
    throw new RangeError(`an index of ${layout.sources} sources for ${entries.length}`);
  const titles = entries.map(({ title }) => new Set(terms(title)));
  const tokens = layout.sentenceTokens.reduce((sum, count) => sum + count, 0);
  const placed = (word: string): number | null => {
    const place = placeOf(word, layout.stems);
    return layout.stems[place] === word ? place : null;
  };
  const countsOf = ({ words }: Question): WordCounts => ({
    sentences: layout.sentences,
    holders: Object.fromEntries(words.map((word) => [word, layout.holders[placed(word) ?? -1] ?? 0])),
  });
  return {
    entries,
    layout,
    titles,
    averageSentenceTokens: Math.max(1, tokens / Math.max(1, layout.sentences)),
    sizes: () => ({
      documents: layout.sources,
      passages: layout.passages,
      sentences: layout.sentences,
      stems: layout.stems.length,
    }),
    counts: (question) => countsOf(readQuestion(question)),
    search(queries, most) {
      const rankings = queries.map((query) => {
        const question = readQuestion(query);
        const weights = weightsOf(question, countsOf(question));
        return searchPassages({ layout, titles }, { words: question.words, weights, most });
      });
      return fuseRanks(rankings)
        .slice(0, most)
        .map((passage) => foundPassage(layout, passage));
    },
    passagesOf(source) {
      const from = layout.firstPassage[source] ?? 0;
      const count = (layout.firstPassage[source + 1] ?? from) - from;
      return Array.from({ length: count }, (_, at) => foundPassage(layout, from + at));
    },
    passagesAt: (numbers) => numbers.map((passage) => foundPassage(layout, passage)),
    heldBySource: (words) => heldBySource(layout, words, placed),
  };
}

function foundPassage(layout: CorpusLayout, passage: number): FoundPassage {
  return {
    source: layout.sourceOf[passage] ?? 0,
    passage,
    start: layout.sentenceStart[layout.passageFrom[passage] ?? 0] ?? 0,
    end: layout.sentenceEnd[(layout.passageTo[passage] ?? 1) - 1] ?? 0,
  };
}

function heldBySource(
  layout: CorpusLayout,
  words: readonly string[],
  placed: (word: string) => number | null,
): string[][] {
  const held = Array.from({ length: layout.sources }, (): string[] => []);
  for (const word of words) {
    const place = placed(word);
    if (place === null) continue;
    let source = 0;
    layout.eachHolder(place, (sentence) => {
      while (sentence >= (layout.firstSentence[source + 1] ?? Infinity)) source += 1;
      const holding = held[source];
      if (holding !== undefined && holding.at(-1) !== word) holding.push(word);
    });
  }
  return held;
}
