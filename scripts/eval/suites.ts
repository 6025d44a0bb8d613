import type { Suite } from './suite';
import { answersIn } from './suites/answers-in';
import { attribution } from './suites/attribution';
import { collection } from './suites/collection';
import { conflicts } from './suites/conflicts';
import { evidence } from './suites/evidence';
import { open } from './suites/open';
import { relevance } from './suites/relevance';

/** By their names, in the order in which they are told. */
export const SUITES: Readonly<Record<string, Suite>> = {
  evidence,
  relevance,
  open,
  collection,
  'answers-in': answersIn,
  conflicts,
  attribution,
};
