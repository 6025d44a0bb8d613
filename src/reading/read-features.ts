import type { WordCounts } from '../core/contracts/word-counts';
import type { Collection } from './collection';
import { readCollection, type Reading } from './features';
import { matchWords } from './matches';
import type { Question } from './question';
import { countWords, weightsOf } from './rarity';

/** A collection as it is read for a question; `counts` where words are to be as rare as they are in more than this. */
export function readIndexed(question: Question, collection: Collection, counts?: WordCounts): Reading {
  const weights = weightsOf(question, counts ?? countWords(question, collection));
  return readCollection(question, collection, matchWords(question, collection), weights);
}
