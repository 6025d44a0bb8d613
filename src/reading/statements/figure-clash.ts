import { MONTH } from '../../language/months';
import { numbersIn, type TextNumber } from '../../language/numbers';
import { sameNumber } from '../../language/same-number';
import { unitRatio } from '../../language/units';
import { STOP_WORDS, stemOf } from '../../language/words';
import { placedWords } from '../../language/word-positions';

/** Words around a figure in which two sources may differ and still mean the same value. */
const MEASURING = new Set(
  'about amount approximately around currently estimated expected forecast nearly projected reached reported size some stood totalled valued worth'
    .split(' ')
    .map(stemOf),
);
const CLAUSE = /[;:]\s|,\s|\s(?:and|but|while|whereas)\s/;
const MONTHS = new RegExp(`\\b(?:${MONTH})\\b`, 'gi');
const ORDINALS =
  /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|q[1-4])\b/gi;
const LEAST_SHARED = 3;
/** One clause may have further words, up to this share of the common ones; the other has none. */
const MOST_OWN = 1 / 3;

interface Clause {
  words: ReadonlySet<string>;
  amounts: TextNumber[];
  dates: TextNumber[];
  months: string[];
  text: string;
}

/**
 * The one figure in which two near-identical statements differ, as each states it. Null if the statements are about different things
 * or times, or if no figure or several figures differ.
 */
export function figureClash(one: string, other: string): readonly [string, string] | null {
  if (/[?？]\s*$/.test(one) || /[?？]\s*$/.test(other) || namesOtherTurns(one, other)) return null;
  const others = clausesOf(other);
  for (const a of clausesOf(one)) {
    for (const b of others) {
      const clash = areNearlyAlike(a.words, b.words) ? differingFigure(a, b) : null;
      if (clash !== null) return clash;
    }
  }
  return null;
}

/** True if each has an ordinal that the other lacks, such as second and third quarter. */
export function namesOtherTurns(one: string, other: string): boolean {
  return haveOwn(one.toLowerCase().match(ORDINALS) ?? [], other.toLowerCase().match(ORDINALS) ?? []);
}

function haveOwn(one: readonly string[], other: readonly string[]): boolean {
  return one.some((item) => !other.includes(item)) && other.some((item) => !one.includes(item));
}

function clausesOf(text: string): Clause[] {
  return text.split(CLAUSE).map((clause): Clause => {
    const numbers = numbersIn(clause);
    const words = placedWords(clause).filter(
      ({ word, stem, start }) =>
        !STOP_WORDS.has(word) &&
        !MEASURING.has(stem) &&
        !numbers.some((number) => start >= number.start && start < number.endOfUnit),
    );
    const months = (clause.match(MONTHS) ?? []).map((month) => month.toLowerCase());
    return {
      words: new Set(words.filter(({ word }) => !months.includes(word)).map(({ stem }) => stem)),
      amounts: numbers.filter(({ isDate }) => !isDate),
      dates: numbers.filter(({ isDate }) => isDate),
      months,
      text: clause,
    };
  });
}

function areNearlyAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  const [own, others] = [one.size - shared, other.size - shared];
  return shared >= LEAST_SHARED && Math.min(own, others) === 0 && Math.max(own, others) <= MOST_OWN * shared;
}

function differingFigure(a: Clause, b: Clause): readonly [string, string] | null {
  const said = (clause: Clause, { start, endOfUnit }: TextNumber): string =>
    clause.text.slice(start, endOfUnit).trim();
  const [own, others] = [unmatched(a.amounts, b.amounts), unmatched(b.amounts, a.amounts)];
  const [dates, otherDates] = [unmatched(a.dates, b.dates), unmatched(b.dates, a.dates)];
  const haveOneTime = dates.length === 0 && otherDates.length === 0 && !haveOwn(a.months, b.months);
  const [first, ...more] = own.length + others.length > 0 ? own : dates;
  const [second, ...further] = own.length + others.length > 0 ? others : otherDates;
  if (first === undefined || second === undefined) return null;
  // Only a date may differ in several numbers.
  if (!first.isDate && more.length + further.length > 0) return null;
  if (!first.isDate && (!haveOneTime || unitRatio(first.unit, second.unit) === null)) return null;
  return [said(a, first), said(b, second)];
}

function unmatched(numbers: readonly TextNumber[], others: readonly TextNumber[]): TextNumber[] {
  return numbers.filter((number) => !others.some((other) => sameNumber(number, other)));
}
