import askingWords from './data/asking-words.json';
import questionWords from './data/question-words.json';
import { tokensOf } from './sentences';
import { stemOf, STOP_WORDS, terms } from './words';

/** Words are stems. */
export interface Question {
  text: string;
  kind: QuestionKind;
  asksForEffect: boolean;
  asksWhether: boolean;
  asksOfValues: boolean;
  words: readonly string[];
  /** Words that ask (“papers”, “recent”) rather than name the subject. */
  asking: ReadonlySet<string>;
  concepts: readonly (readonly string[])[];
  /** Words of the outcome of a change; else of the last phrase. */
  last: readonly string[];
  said: ReadonlySet<string>;
  /** Capitalised words that do not open the question; words that are numbers. */
  names: readonly string[];
  numbers: readonly string[];
}

const ASKING = new Set(askingWords.words.map(stemOf));

/** True for words such as “study” and “list”. Takes any word, not a stem. */
export function isAskingWord(word: string): boolean {
  return ASKING.has(stemOf(word.toLowerCase()));
}

/** Accepts a question, a claim or any other text. Never throws; a text without words gives none. */
export function readQuestion(text: string): Question {
  const effect = asksForEffect(text);
  const phrases = splitPhrases(text, effect).map((phrase) => ({
    words: terms(phrase.text),
    isOutcome: phrase.isOutcome,
  }));
  const concepts = phrases.flatMap(({ words }) => (words.length === 0 ? [] : [words]));
  const behind = phrases.filter(({ isOutcome }) => isOutcome);
  const wordsOf = (those: readonly { words: string[] }[]): string[] => [
    ...new Set(those.flatMap(({ words }) => words)),
  ];
  const last = behind.length > 0 ? wordsOf(behind) : [...new Set(concepts.at(-1) ?? [])];
  const words = [...new Set(concepts.flat())];
  const held = new Set(words);
  const named = [...text.matchAll(/(?<=\s)\p{Lu}[\p{L}\p{N}'’-]*/gu)].flatMap(([name]) => terms(name));
  return {
    text,
    kind: kindOfQuestion(text, effect),
    asksForEffect: effect,
    asksWhether: asksWhether(text),
    asksOfValues: !effect && asksAboutValues(text),
    words,
    asking: new Set(words.filter((word) => ASKING.has(word))),
    concepts,
    last,
    said: new Set(tokensOf(text)),
    names: [...new Set(named.filter((word) => held.has(word)))],
    numbers: words.filter((word) => /^\p{N}/u.test(word)),
  };
}

export type QuestionKind = 'date' | 'number' | 'name' | 'why' | 'whether' | 'definition' | 'how' | 'what';

const { kinds, named, whether, effect, comparison, ofValues } = questionWords;
const OF_VALUES = new RegExp(`\\b(?:${ofValues.join('|')}) of\\b`, 'i');
const EFFECT_OPENING = new RegExp(`^\\s*(?:${[...whether, ...effect.openings].join('|')})\\b`, 'i');
const NAMED = new RegExp(` (?:what|which) (?:\\w+ )?(?:${named.join('|')})s? `);
const WHETHER = new RegExp(`^ (?:${whether.join('|')}) `);
const OPENING = new RegExp(`^ (?:what|which|how|why|${whether.join('|')}) `);
const OPENING_CLAUSE = new Set(['when', 'where', 'who', 'whose', 'whom']);
const DEFINITION = /^ (?:what|who) (?:is|are|was|were|s) (?:the |a |an )?[a-z0-9 ]{2,40}$/;
const LONGEST_DEFINITION = 6;

export function asksForEffect(text: string): boolean {
  return text.search(effectsIn(text)) >= 0 && EFFECT_OPENING.test(text);
}

function asksAboutValues(text: string): boolean {
  return OF_VALUES.test(text);
}

/** A question for an effect does not ask for a date or a name. */
function kindOfQuestion(text: string, isEffect: boolean): QuestionKind {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  for (const { kind, phrases } of kinds) {
    const asks = (phrase: string): boolean =>
      plain.includes(` ${phrase} `) && !(OPENING_CLAUSE.has(phrase) && OPENING.test(plain));
    if (!phrases.some(asks)) continue;
    return isEffect && kind !== 'why' ? 'whether' : (kind as QuestionKind);
  }
  if (NAMED.test(plain)) return isEffect ? 'whether' : 'name';
  if (WHETHER.test(plain)) return 'whether';
  if (DEFINITION.test(plain) && plain.trim().split(' ').length <= LONGEST_DEFINITION) return 'definition';
  return plain.startsWith(' how ') ? 'how' : 'what';
}

export interface Phrase {
  text: string;
  isOutcome: boolean;
}

const PUNCTUATION = String.raw`[;:?!()"“”\[\]]|,(?!\d)|\.(?!\d)`;
const COMPARING = `\\b(?:${comparison.join('|')})\\b\\.?`;
const PARTING = new RegExp(`${PUNCTUATION}|${COMPARING}`, 'gi');

/** Splits at punctuation, comparisons, verbs of change and function words but “of”. */
export function splitPhrases(text: string, isEffect: boolean): Phrase[] {
  const change = isEffect ? findChange(text) : null;
  const partingEffect = new RegExp(`${PARTING.source}|${effectsIn(text).source}`, 'gi');
  const phrases = (part: string, by: RegExp, isOutcome: boolean): Phrase[] =>
    part.split(by).flatMap((piece) => phrasesOf(piece).map((phrase) => ({ text: phrase, isOutcome })));
  if (change === null) return phrases(text, PARTING, false);
  const { start, end, isOfWhatFollows } = change;
  return [
    ...phrases(text.slice(0, start), partingEffect, isOfWhatFollows),
    ...phrases(text.slice(end), PARTING, !isOfWhatFollows),
  ];
}

function phrasesOf(part: string): string[] {
  const phrases: string[][] = [[]];
  for (const word of part.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.'’/-]*/gu) ?? []) {
    const lower = word.toLowerCase();
    if (lower === 'of') continue;
    if (STOP_WORDS.has(lower)) phrases.push([]);
    else phrases.at(-1)?.push(word);
  }
  return phrases.filter((words) => words.length > 0).map((words) => words.join(' '));
}

interface Change {
  start: number;
  end: number;
  isOfWhatFollows: boolean;
}

const { towards, asked } = effect;
const WHETHER_OPENING = new RegExp(`^\\s*(?:${whether.join('|')})\\b`, 'i');
const COMPARED = /\b(?:compared (?:with|to)|versus|vs\.?)\b/i;
const GOALS = anyOf(towards.goals);
const ASKED_OF = `${anyOf(asked.nouns)} of`;
/** `What effect does …`, `How effective is …` */
const ASKED_FIRST = `(?:(?:what|which) ${anyOf(asked.nouns)}|how ${anyOf(asked.qualities)}) ${anyOf(whether)}`;
const ASKED_OPENING = new RegExp(
  `^\\s*(?:${ASKED_FIRST}|(?:what|which) ${anyOf(whether)}(?: [\\w-]+){0,2}? ${ASKED_OF}|how d(?:o|oes|id) .*\\b${anyOf(asked.verbs)})\\b`,
  'i',
);
const OPENING_EFFECT = new RegExp(`^(?:${ASKED_OF}|${ASKED_FIRST})$`, 'i');
const EFFECT = wordsPattern([ASKED_OF, ASKED_FIRST, ...effect.verbs]);
const TOWARDS = anyOf([...towards.goals, ...towards.settings]);
/** Includes nouns that are verbs in a yes/no question: `Can it limit noise?` */
const AFTER_WHETHER = [
  ASKED_OF,
  ASKED_FIRST,
  ...effect.verbs,
  `${anyOf(towards.predicates)}(?: [\\w-]+){0,2}? ${TOWARDS}`,
  // `Does walking help?` names no outcome.
  `${anyOf(effect.withObject)}(?= [\\w-])`,
  ...effect.afterWhether,
];
const EFFECT_WHETHER = wordsPattern(AFTER_WHETHER);
const FURTHER_EFFECT = wordsPattern([
  ...AFTER_WHETHER,
  ...[...effect.verbs, ...effect.afterWhether].map(gerundOf),
]);

/** Ambiguous words count as effects only without another verb: `social support` with another verb is no effect. */
function effectsIn(text: string): RegExp {
  return WHETHER_OPENING.test(text) && text.search(EFFECT) < 0 ? EFFECT_WHETHER : EFFECT;
}

/**
 * True for yes/no questions, and for the effect of one thing on another: answers to both must cover all that the
 * question names.
 */
function asksWhether(text: string): boolean {
  return WHETHER_OPENING.test(text) || (ASKED_OPENING.test(text) && !findChange(text).isOfWhatFollows);
}

/** Behind the comparison in “Does A, compared with B, change C?”; between A and B in “What effect does A have on B?” */
function findChange(text: string): Change {
  const found = [...text.matchAll(effectsIn(text))];
  const change = found.filter(({ index, 0: word }) => !/^\s+of\b/.test(text.slice(index + word.length)));
  // `Do changes of habits reduce noise?`
  const changes = change.length > 0 ? change : found;
  const compared = COMPARED.exec(text);
  const behind = compared === null ? changes : changes.filter(({ index }) => index > compared.index);
  const afterComma = behind.filter(({ index }) => /,\s*$/.test(text.slice(0, index)));
  const verb = (compared === null ? undefined : afterComma.at(-1)) ?? behind[0] ?? changes[0];
  if (verb === undefined) return { start: text.length, end: text.length, isOfWhatFollows: false };
  const end = verb.index + verb[0].length;
  if (OPENING_EFFECT.test(verb[0]))
    return findGoalLink(text, verb[0], end) ?? { start: verb.index, end, isOfWhatFollows: true };
  // The outcome of `Does it help to reduce noise?` is noise.
  const further = [...text.matchAll(FURTHER_EFFECT)].find(
    ({ index }) => index > end && /^\s+(?:(?:to|an?|any)\s+)?$/.test(text.slice(end, index)),
  );
  return {
    start: verb.index,
    end: further === undefined ? end : further.index + further[0].length,
    isOfWhatFollows: false,
  };
}

function findGoalLink(text: string, opener: string, from: number): Change | null {
  const goals = /^how/i.test(opener) ? [GOALS, anyOf(towards.settings)] : ['on'];
  const verb = /^how well/i.test(opener) ? '(?: works?)?' : '';
  for (const those of goals) {
    const link = new RegExp(`${verb} ${those}\\b`, 'i').exec(text.slice(from));
    if (link === null) continue;
    const start = from + link.index;
    return { start, end: start + link[0].length, isOfWhatFollows: false };
  }
  return null;
}

function gerundOf(verb: string): string {
  return `${verb.replace(/e$/, '')}ing`;
}

function anyOf(those: readonly string[]): string {
  return `(?:${those.join('|')})`;
}

function wordsPattern(those: readonly string[]): RegExp {
  return new RegExp(`\\b${anyOf(those)}\\b`.replaceAll(' ', '\\s+'), 'gi');
}
