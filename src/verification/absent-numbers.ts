import type { TextNumber } from '../language/numbers';
import { roundsTo } from '../language/same-number';
import { unitNamed, unitRatio } from '../language/units';
import { claimedNumbers, type HeldNumber, heldNumbers, plainNumbers } from './held-numbers';
import { isShort, kindOf } from './same-amount';
import data from './data/bounds.json';

/** So many things a writer may have counted: `two trials`. */
const COUNTED_BY_WRITERS = 12;
/** What is about right is so near, as a share of it. */
const NEAR = 0.1;
/** A bound is not farther from what it bounds than by this factor. */
const FARTHEST_BOUND = 0.7;

export interface NumberedSentence {
  text: string;
  numbers: readonly HeldNumber[];
}

/**
 * The numbers of a claim, as written, that no sentence holds, nor any two numbers of one sentence `nearBy` come to. What may be
 * a count of the sources themselves (`two trials`) and `doubled` are not told.
 */
export function absentNumbers(
  claim: string,
  sentences: readonly NumberedSentence[],
  nearBy: readonly NumberedSentence[] = [],
): string[] {
  const plain = plainNumbers(claim);
  const own = claimedNumbers(plain);
  return own
    .filter(({ number }) => number.unit !== '×' || !number.isWord)
    .filter(({ number }) => !(number.isWord && number.unit === '' && number.value <= COUNTED_BY_WRITERS))
    .filter(({ number }) => {
      const bound = boundBefore(plain, number.start);
      return (
        !sentences.some((sentence) => holds(sentence, number, bound)) &&
        ![...nearBy, { numbers: own }].some(({ numbers }) => isReckonedFrom(number, numbers))
      );
    })
    .map(({ written }) => written);
}

export function numberedTexts(texts: readonly string[]): NumberedSentence[] {
  return texts.map((text) => ({ text, numbers: heldNumbers(text) }));
}

function holds({ text, numbers }: NumberedSentence, claimed: TextNumber, bound: Bound): boolean {
  return numbers.some(({ number }) => isMet(claimed, bound, number) && hasUnit(claimed, number, text));
}

/** A sign may be told in words: a difference of −0.05 is a fall by 0.05. */
function isMet(claimed: TextNumber, bound: Bound, held: TextNumber): boolean {
  const [one, other] = [unsigned(claimed), unsigned(held)];
  if (roundsTo(one, other)) return true;
  // The one that is only told roughly is the coarser one: `half` for 52 %.
  const ratio = unitRatio(other.unit, one.unit);
  if (ratio === null) return false;
  const value = other.value * ratio;
  if (bound === 'above') return value >= one.value && one.value >= value * FARTHEST_BOUND;
  if (bound === 'below') return value <= one.value && value >= one.value * FARTHEST_BOUND;
  return (bound === 'near' || held.isApproximate) && Math.abs(value - one.value) <= NEAR * value;
}

function unsigned(number: TextNumber): TextNumber {
  return { ...number, value: Math.abs(number.value), isApproximate: false };
}

/** A short number with a unit needs it: its own, or in the same sentence, as of a list or in the head of a column. */
function hasUnit(claimed: TextNumber, held: TextNumber, sentence: string): boolean {
  if (claimed.unit === '' || held.unit !== '' || !isShort(claimed)) return true;
  const kind = kindOf(claimed.unit);
  if (kind === 'person') return true;
  return (sentence.match(/[\p{L}µ°%$€£]+/gu) ?? []).some((word) => unitNamed(word)?.kind === kind);
}

/** Of more numbers some pair comes to anything. */
const MOST_NUMBERS = 8;

/** Whether a number is what two numbers of a sentence come to: their difference, or one as a percentage of the other. */
function isReckonedFrom(claimed: TextNumber, held: readonly HeldNumber[]): boolean {
  if (claimed.isDate || held.length > MOST_NUMBERS) return false;
  const amounts = held.map(({ number }) => number).filter(({ isDate }) => !isDate);
  return amounts.some((one) => amounts.some((other) => one !== other && isOf(claimed, one, other)));
}

function isOf(claimed: TextNumber, one: TextNumber, other: TextNumber): boolean {
  if (one.value <= other.value || other.value <= 0) return false;
  const decimals = Math.max(one.decimals, other.decimals);
  const difference = { value: one.value - other.value, decimals, unit: one.unit };
  if (one.unit === other.unit && roundsTo(claimed, difference)) return true;
  const share = { value: (100 * other.value) / one.value, decimals: claimed.decimals + 3, unit: '%' };
  return claimed.unit === '%' && one.unit !== '%' && other.unit !== '%' && roundsTo(claimed, share);
}

type Bound = 'exact' | 'above' | 'below' | 'near';

const BEFORE = new RegExp(
  `(?<!\\p{L})(?:(${joined(data.above)})|(${joined(data.below)})|(${joined(data.near)}))(?:\\s+(?:a|the|an))?\\s*[$€£]?\\s*$`,
  'iu',
);
const ABOUT = /[~≈]$/;
const FARTHEST = 30;

/** What the words right before a number make of it: `over 400`, `within two weeks`, `≈ 5`. */
function boundBefore(text: string, start: number): Bound {
  const before = text.slice(Math.max(0, start - FARTHEST), start);
  if (ABOUT.test(before.trimEnd())) return 'near';
  const match = BEFORE.exec(before);
  if (match === null) return 'exact';
  if (match[1] !== undefined) return 'above';
  return match[2] === undefined ? 'near' : 'below';
}

function joined(phrases: readonly string[]): string {
  return [...phrases].sort((a, b) => b.length - a.length).join('|');
}
