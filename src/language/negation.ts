import data from './data/negation.json';
import questionWords from './data/question-words.json';
import { type PlacedWord, placedWords } from './word-positions';
import { stemOf } from './words';

const negators = new Set(data.negators);
const notDenying = new Set(data.afterwardsNotDenying);
const othersObjects = new Set(data.othersObjects);
const effects = new Set(data.effects.map(stemOf));
const auxiliaries = new Set(questionWords.whether);
const sameness = new Set(data.sameness);

/** So many words before a word a negation of it may stand. */
const REACH = 4;
/** So many characters after a negation what it denies may stand. */
const DENIED_WITHIN = 60;
/** `None of those who …` denies what its sentence says of them, up to what is set against it. */
const DENYING_SUBJECTS = new Set(['none', 'neither']);
const DENIED_OF_SUBJECT = 160;

/** Whether that word denies: `no`, `not`, `didn't`, but not the `not` of `not only`, nor what names the others: `than without it`. */
export function isNegator(words: readonly PlacedWord[], at: number): boolean {
  const word = words[at];
  const next = words[at + 1]?.word ?? '';
  if (word === undefined || !denies(word) || notDenying.has(next)) return false;
  return !(word.word === 'without' && othersObjects.has(next));
}

/** Whether the word and the next are a `not only`, which denies nothing. */
export function isNotOnly(words: readonly PlacedWord[], at: number): boolean {
  const word = words[at];
  return word !== undefined && denies(word) && notDenying.has(words[at + 1]?.word ?? '');
}

/** Whether a word denies, or belongs to how effects are denied: `not`, `difference`, `unchanged`. */
export function isOfDenial(word: PlacedWord): boolean {
  return denies(word) || namesEffect(word);
}

/** Whether a word names an effect that is denied, or says that there is none: `difference`, `unchanged`. */
function namesEffect({ word, stem }: PlacedWord): boolean {
  return effects.has(stem) || sameness.has(word);
}

function denies({ word, stem }: PlacedWord): boolean {
  return negators.has(word) || negators.has(stem) || word.endsWith("n't");
}

export function isNegated(words: readonly PlacedWord[], at: number): boolean {
  for (let before = Math.max(0, at - REACH); before < at; before += 1)
    if (isNegator(words, before)) return true;
  return false;
}

/** How many words of a text deny: a sentence and its denial differ in it by one. */
export function negationsIn(text: string): number {
  const words = placedWords(text);
  return words.filter((_word, at) => isNegator(words, at)).length;
}

const CLAUSE_OF_SUBJECT = /^(?:(?!\b(?:but|while|whereas|although|though|however)\b)[^.;])*/i;

function reachOf(word: string): RegExp {
  if (word === 'without') return /^[^.,;]*/;
  return DENYING_SUBJECTS.has(word) ? CLAUSE_OF_SUBJECT : /^[^.;]*/;
}

/** Whether a text says that there is no effect or difference: `did not improve`, `no significant difference`, `unchanged`. */
export function deniesEffect(text: string): boolean {
  const words = placedWords(text);
  return words.some(({ word, end }, at) => {
    if (sameness.has(word)) return true;
    if (!isNegator(words, at)) return false;
    if (word.endsWith("n't") || auxiliaries.has(words[at - 1]?.word ?? '')) return true;
    const within = DENYING_SUBJECTS.has(word) ? DENIED_OF_SUBJECT : DENIED_WITHIN;
    const clause = reachOf(word).exec(text.slice(end, end + within))?.[0] ?? '';
    const following = words.slice(at + 1, at + 1 + within / 2);
    return following.some((other) => other.end <= end + clause.length && effects.has(other.stem));
  });
}
