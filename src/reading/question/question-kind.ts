import questionWords from '../../language/data/question-words.json';
import { STOP_WORDS } from '../../language/words';
import { changeIn, effectsIn } from './asked-change';

export type QuestionKind = 'date' | 'number' | 'name' | 'why' | 'whether' | 'definition' | 'how' | 'what';

const { kinds, named, whether, effect, comparison, ofValues } = questionWords;
const OF_VALUES = new RegExp(`\\b(?:${ofValues.join('|')}) of\\b`, 'i');
const EFFECT_OPENING = new RegExp(`^\\s*(?:${[...whether, ...effect.openings].join('|')})\\b`, 'i');
const NAMED = new RegExp(` (?:what|which) (?:\\w+ )?(?:${named.join('|')})s? `);
const WHETHER = new RegExp(`^ (?:${whether.join('|')}) `);
/** What a question opens with, where a clause may follow that opens with another question word. */
const OPENING = new RegExp(`^ (?:what|which|how|why|${whether.join('|')}) `);
const OPENING_CLAUSE = new Set(['when', 'where', 'who', 'whose', 'whom']);
const DEFINITION = /^ (?:what|who) (?:is|are|was|were|s) (?:the |a |an )?[a-z0-9 ]{2,40}$/;
const LONGEST_DEFINITION = 6;

export function asksForEffect(text: string): boolean {
  return text.search(effectsIn(text)) >= 0 && EFFECT_OPENING.test(text);
}

/** Whether it asks about what was measured or estimated of one thing: `Do estimates of the age of the universe agree?` */
export function asksOfValues(text: string): boolean {
  return OF_VALUES.test(text);
}

/** The kind of answer wanted; a question about an effect does not ask for a date or a name. */
export function kindOfQuestion(text: string, isEffect: boolean): QuestionKind {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  for (const { kind, phrases } of kinds) {
    const asks = (phrase: string): boolean =>
      plain.includes(` ${phrase} `) && !(OPENING_CLAUSE.has(phrase) && OPENING.test(plain));
    if (!phrases.some(asks)) continue;
    return isEffect && kind !== 'why' ? 'whether' : (kind as QuestionKind); // the data names kinds of the type
  }
  if (NAMED.test(plain)) return isEffect ? 'whether' : 'name';
  if (WHETHER.test(plain)) return 'whether';
  if (DEFINITION.test(plain) && plain.trim().split(' ').length <= LONGEST_DEFINITION) return 'definition';
  return plain.startsWith(' how ') ? 'how' : 'what';
}

/** A stretch of a question between what parts phrases; `isOutcome` where it stands behind a verb of change. */
export interface Phrase {
  text: string;
  isOutcome: boolean;
}

const PUNCTUATION = String.raw`[;:?!()"“”\[\]]|,(?!\d)|\.(?!\d)`;
const COMPARING = `\\b(?:${comparison.join('|')})\\b\\.?`;
const PARTING = new RegExp(`${PUNCTUATION}|${COMPARING}`, 'gi');

/** The phrases of a question: it is parted at punctuation, comparisons, verbs of change and function words but “of”. */
export function parted(text: string, isEffect: boolean): Phrase[] {
  const change = isEffect ? changeIn(text) : null;
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
