import data from '../data/citation-words.json';
import { isUnspaced, tokensOf } from '../../language/tokens';
import { STOP_WORDS } from '../../language/words';

/** With fewer words nothing has been said yet that could be cited. */
const FEWEST_WORDS = 4;
/** What is looked at on either side. */
const NEAR = 400;
const SENTENCE_START = /^.*[.!?]["'”’)]*\s+(?=\p{Lu})/su;
const SENTENCE_END = /[.!?]["'”’)]*\s*$/;
const CLAUSE_END = /^["'”’]?\s*(?:[.;!?)]|$|\[\d)/;
const CONJUNCTION = /^\s*,\s+(\p{L}+)/u;
const GOVERNING: ReadonlySet<string> = new Set(data.governing);

/** A stretch of a text. */
export interface Stretch {
  from: number;
  to: number;
}

/**
 * Whether what stands there is no part of the sentence: this is complete before it, as far as its last word does not wait for
 * another, and ends, or begins a clause, behind it.
 */
export function standsApart(text: string, { from, to }: Stretch): boolean {
  const before = text.slice(Math.max(0, from - NEAR), from);
  const after = text.slice(to, to + NEAR);
  if (SENTENCE_END.test(before)) return /^\s*(?:\p{Lu}|$)/u.test(after);
  return endsClause(after) && isComplete(before);
}

/** Whether the last word before it waits for what stands there: `at`, `the`, `according to`. */
export function isAwaited(text: string, { from }: Stretch): boolean {
  const before = text.slice(Math.max(0, from - NEAR), from);
  return /\p{L}\s*$/u.test(before) && waits(tokensOf(before).at(-1));
}

/** Whether the sentence has not said anything before it, and goes on in the same clause. */
export function isWithin(text: string, { from, to }: Stretch): boolean {
  const before = text.slice(Math.max(0, from - NEAR), from);
  const after = text.slice(to, to + NEAR);
  const opens = SENTENCE_END.test(before) || !/\S/.test(before);
  return /^['’]?\s*\p{Ll}/u.test(after) && (opens || (/\p{L}\s*$/u.test(before) && !isComplete(before)));
}

function endsClause(after: string): boolean {
  const [, word] = CONJUNCTION.exec(after) ?? [];
  return CLAUSE_END.test(after) || (word !== undefined && STOP_WORDS.has(word.toLowerCase()));
}

/** In scripts that put no space between words it is not known which of them wait. */
function isComplete(before: string): boolean {
  const sentence = before.replace(SENTENCE_START, '');
  const words = tokensOf(sentence);
  return words.length >= FEWEST_WORDS && !isUnspaced(sentence) && !waits(words.at(-1));
}

/** A participle may be a verb that has its object behind it: `called`, `acquired`. */
function waits(word = ''): boolean {
  return STOP_WORDS.has(word) || GOVERNING.has(word) || /\p{L}ed$/u.test(word);
}
