import questionWords from '../../language/data/question-words.json';
import { STOP_WORDS } from '../../language/words';
import statementWords from '../statements/data/statement-words.json';

/** What kind of answer is asked for. */
export type QuestionKind = 'date' | 'number' | 'name' | 'why' | 'whether' | 'definition' | 'how' | 'what';

const { kinds, named, whether, effect, comparison, ofValues } = questionWords;
const OF_VALUES = new RegExp(`\\b(?:${ofValues.join('|')}) of\\b`, 'i');
const EFFECT = verbs(effect.verbs);
/** Nouns as well: verbs where a yes or a no is wanted, as in `Can it limit noise?` */
const EFFECT_WHETHER = verbs([...effect.verbs, ...effect.afterWhether]);
const EFFECT_OPENING = new RegExp(`^\\s*(?:${[...whether, ...effect.openings].join('|')})\\b`, 'i');
const AMONG = new RegExp(`\\b(?:${statementWords.amongWhom.join('|')})\\s+(?:the\\s+)?$`, 'i');
/** `After exercise` says when it is, and not what changes. */
const AT_A_TIME = /\b(?:after|before|during|following)\s+(?:the\s+)?$/i;
/** Behind it stands what the effect is on. */
const EFFECT_ON = /\b(?:effects?|impact|influence) of\b.*?\bon\b/i;
const COMPARED = /\b(?:compared (?:with|to)|versus|vs\.?)\b/i;
const NAMED = new RegExp(` (?:what|which) (?:\\w+ )?(?:${named.join('|')})s? `);
const WHETHER = new RegExp(`^ (?:${whether.join('|')}) `);
const WHETHER_OPENING = new RegExp(`^\\s*(?:${whether.join('|')})\\b`, 'i');
/** What a question opens with, where a clause may follow that opens with another question word. */
const OPENING = new RegExp(`^ (?:what|which|how|why|${whether.join('|')}) `);
const OPENING_CLAUSE = new Set(['when', 'where', 'who', 'whose', 'whom']);
const DEFINITION = /^ (?:what|who) (?:is|are|was|were|s) (?:the |a |an )?[a-z0-9 ]{2,40}$/;
const LONGEST_DEFINITION = 6;

export function asksForEffect(text: string): boolean {
  return text.search(effectsIn(text)) >= 0 && EFFECT_OPENING.test(text);
}

/** Whether yes or no is wanted: what answers speaks of all that is asked about. */
export function asksWhether(text: string): boolean {
  return WHETHER_OPENING.test(text);
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

/** Whether a phrase of a question about an effect says what has it, on what, when, or in whom: `in children`, `with asthma`. */
export function placeOf(
  { text, isOutcome }: Phrase,
  question: string,
): 'cause' | 'outcome' | 'among' | 'when' {
  const before = question.slice(0, question.indexOf(text));
  if (AMONG.test(before)) return 'among';
  if (AT_A_TIME.test(before)) return 'when';
  const on = EFFECT_ON.exec(question);
  return isOutcome && (on === null || before.length >= on.index + on[0].length) ? 'outcome' : 'cause';
}

const PUNCTUATION = String.raw`[;:?!()"“”\[\]]|,(?!\d)|\.(?!\d)`;
const COMPARING = `\\b(?:${comparison.join('|')})\\b\\.?`;
const PARTING = new RegExp(`${PUNCTUATION}|${COMPARING}`, 'gi');

/** The phrases of a question: it is parted at punctuation, comparisons, verbs of change and function words but “of”. */
export function parted(text: string, isEffect: boolean): Phrase[] {
  const { start, end } = isEffect ? changeIn(text) : { start: text.length, end: text.length };
  const partingEffect = new RegExp(`${PARTING.source}|${effectsIn(text).source}`, 'gi');
  const before = text.slice(0, start).split(isEffect ? partingEffect : PARTING);
  const after = text.slice(end).split(PARTING);
  return [
    ...before.flatMap((part) => phrasesOf(part).map((phrase) => ({ text: phrase, isOutcome: false }))),
    ...after.flatMap((part) => phrasesOf(part).map((phrase) => ({ text: phrase, isOutcome: true }))),
  ];
}

/** Where the verb of change stands: in “Does A, compared with B, change C?” behind the comparison. */
function changeIn(text: string): { start: number; end: number } {
  const found = [...text.matchAll(effectsIn(text))];
  const change = found.filter(({ index, 0: word }) => !/^\s+of\b/.test(text.slice(index + word.length)));
  // `Do changes of habits reduce noise?`
  const changes = change.length > 0 ? change : found;
  const compared = COMPARED.exec(text);
  const behind = compared === null ? changes : changes.filter(({ index }) => index > compared.index);
  const afterComma = behind.filter(({ index }) => /,\s*$/.test(text.slice(0, index)));
  const verb = (compared === null ? undefined : afterComma.at(-1)) ?? behind[0] ?? changes[0];
  if (verb === undefined) return { start: text.length, end: text.length };
  const end = verb.index + verb[0].length;
  // `Does it help to reduce noise?` asks of noise.
  const further = [...text.matchAll(EFFECT_WHETHER)].find(
    ({ index }) => index > end && /^\s+(?:to\s+)?$/.test(text.slice(end, index)),
  );
  return { start: verb.index, end: further === undefined ? end : further.index + further[0].length };
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

/** By what a text may ask for an effect: `social support` asks for none where another verb does. */
function effectsIn(text: string): RegExp {
  return asksWhether(text) && text.search(EFFECT) < 0 ? EFFECT_WHETHER : EFFECT;
}

function verbs(those: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${those.join('|')})\\b`, 'gi');
}
