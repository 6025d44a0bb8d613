import type { Collection } from './collection';
import { columnsOf, type FeatureRow, featuresOf, readCollection } from './features';
import { matchWords } from './matches';
import type { Question } from './question';
import { countWords, weightsOf } from './rarity';

/** The features of every sentence of a collection, in their order. */
export function readFeatures(question: Question, collection: Collection): FeatureRow[] {
  const weights = weightsOf(question, countWords(question, collection));
  const reading = readCollection(question, collection, matchWords(question, collection), weights);
  const columns = columnsOf(question, weights);
  return collection.texts.map((_text, sentence) => featuresOf(reading, columns, sentence));
}
