import type { WordCounts } from '../../contracts/report/word-counts';
import type { Collection } from '../collection/collection';
import type { Question } from '../question/question';

/** What asks (“papers”, “recent”) weighs so much of what is asked about. */
const ASKING_SHARE = 0.3;

/** Rarity is counted within what is read; there is no table of how frequent a language's words are. */
export function countWords({ words }: Question, { texts, vocabulary, holders }: Collection): WordCounts {
  const count = (word: string): number => holders[vocabulary.get(word) ?? -1] ?? 0;
  return { sentences: texts.length, holders: Object.fromEntries(words.map((word) => [word, count(word)])) };
}

export function addCounts(parts: readonly WordCounts[]): WordCounts {
  const holders: Record<string, number> = {};
  for (const part of parts)
    for (const [word, count] of Object.entries(part.holders)) holders[word] = (holders[word] ?? 0) + count;
  return { sentences: parts.reduce((sum, part) => sum + part.sentences, 0), holders };
}

/**
 * What is supposed before anything is read: as if so many sentences had been read already, in which a word is the rarer the
 * longer it is (Zipf's law of abbreviation). It tells apart the words of a question where there are few sentences to count in.
 */
const SUPPOSED_SENTENCES = 1_000;
const SUPPOSED_SHARE = 0.05;
const RARER_A_LETTER = 0.3;
const SHORTEST = 3;
const NUMBERS_SHARE = 0.1;

/** The weight of each of the question's words, in their order: Robertson and Sparck Jones's, as in BM25. */
export function weightsOf({ words, asking }: Question, { sentences, holders }: WordCounts): Float64Array {
  return Float64Array.from(
    words,
    (word) => rarityOf(word, holders[word] ?? 0, sentences) * (asking.has(word) ? ASKING_SHARE : 1),
  );
}

/** How rare a word is that so many of the sentences hold: its weight in BM25. */
export function rarityOf(word: string, holding: number, sentences: number): number {
  const all = sentences + SUPPOSED_SENTENCES;
  const having = holding + SUPPOSED_SENTENCES * supposedShare(word);
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function supposedShare(word: string): number {
  const share = SUPPOSED_SHARE * Math.exp(-RARER_A_LETTER * Math.max(0, word.length - SHORTEST));
  return /^\p{N}/u.test(word) ? share * NUMBERS_SHARE : share;
}
