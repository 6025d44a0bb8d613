import type { WordCounts } from '../../contracts/report/word-counts';
import type { Collection } from '../collection/collection';
import { readCollection, type Reading } from './features';
import { matchWords } from './matches';
import type { Question } from '../question/question';
import { countWords, weightsOf } from './rarity';

/** A collection as it is read for a question; `counts` where words are to be as rare as they are in more than this. */
export function readIndexed(question: Question, collection: Collection, counts?: WordCounts): Reading {
  const weights = weightsOf(question, counts ?? countWords(question, collection));
  return readCollection(question, collection, matchWords(question, collection), weights);
}
