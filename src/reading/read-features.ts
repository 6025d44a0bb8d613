import type { WordCounts } from '../core/contracts/word-counts';
import type { Collection } from './collection';
import { columnsOf, type FeatureRow, featuresOf, readCollection, type Reading } from './features';
import { matchWords } from './matches';
import type { Question } from './question';
import { countWords, weightsOf } from './rarity';

/** A collection as it is read for a question; `counts` where words are to be as rare as they are in more than this. */
export function readIndexed(question: Question, collection: Collection, counts?: WordCounts): Reading {
  const weights = weightsOf(question, counts ?? countWords(question, collection));
  return readCollection(question, collection, matchWords(question, collection), weights);
}

/** The features of every sentence of a collection, in their order. */
export function readFeatures(question: Question, collection: Collection): FeatureRow[] {
  const reading = readIndexed(question, collection);
  const columns = columnsOf(question, reading.weights);
  return collection.texts.map((_text, sentence) => featuresOf(reading, columns, sentence));
}
