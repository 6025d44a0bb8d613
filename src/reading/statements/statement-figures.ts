import { numbersIn, type TextNumber } from '../../language/numbers';
import { sameNumber } from '../../language/same-number';
import { unitNamed, unitRatio } from '../../language/units';
import { STOP_WORDS } from '../../language/words';
import data from './data/statement-words.json';

export interface Figures {
  /** What was found: `by 12 %`. */
  results: readonly Figure[];
  /** Under what: how much, how long, how many people. */
  circumstances: readonly Figure[];
  dates: readonly Figure[];
}

export type Figure = TextNumber & { said: string };

const amounts = new Set(data.amounts);
const DOSE = new RegExp(`^\\s?(?:${data.doses.join('|')})\\b`);
/** How sure a figure is, and of how many: `± 2.1`, `95% CI 1 to 3`, `n = 40`. */
const SURENESS =
  /±\s?[\d.,·]*\d|\b\d\d(?:\.\d)?\s?%\s?(?:CI\b|confidence)[^();]*|\b[nptr]\s?[=<>≤≥]\s?[\d.,·]*\d/gi;
const P_VALUE = /\bp\s*(?:-?\s?values?)?\s*(?:for [\w ]{1,20})?(?:[<>=≤≥]|&[lg]t;)\s*(?:0?[.·]\d+|1[.·]0+)/gi;
const WORDS_BEHIND = /^(?:\s[\p{L}-]+){1,3}/u;
const GIVEN: ReadonlySet<string> = new Set(['mass', 'volume', 'activity', 'amount']);
const TIMES: ReadonlySet<string> = new Set(['time', 'months']);

/** The text with blanks for what only says how sure a result is. */
export function withoutSureness(text: string): string {
  const blank = (found: string): string => ' '.repeat(found.length);
  return text.replace(SURENESS, blank).replace(P_VALUE, blank);
}

export function figuresOf(text: string): Figures {
  const results: Figure[] = [];
  const circumstances: Figure[] = [];
  const dates: Figure[] = [];
  for (const number of numbersIn(text)) {
    const figure = { ...number, said: text.slice(number.start, number.endOfUnit).trim() };
    if (number.isDate) dates.push(figure);
    else (isCircumstance(text, number) ? circumstances : results).push(figure);
  }
  return { results, circumstances, dates };
}

function isCircumstance(text: string, { unit, start, endOfUnit }: TextNumber): boolean {
  const [top = '', below] = unit.split('/');
  const kind = unitNamed(top)?.kind ?? '';
  const wordBefore = /(\p{L}+)\s$/u.exec(text.slice(Math.max(0, start - 16), start))?.[1] ?? '';
  if (kind === 'person' || (unit === '' && countsPeople(text.slice(endOfUnit)))) return true;
  if (TIMES.has(kind)) return below !== undefined || !amounts.has(wordBefore);
  const isPerTime = below !== undefined && TIMES.has(unitNamed(below)?.kind ?? '');
  return GIVEN.has(kind) && (isPerTime || DOSE.test(text.slice(endOfUnit)));
}

/** `older adults` behind a number: whom there are so many of may be told by a word or two before the noun. */
function countsPeople(after: string): boolean {
  const words = WORDS_BEHIND.exec(after)?.[0].trim().toLowerCase().split(/\s/) ?? [];
  const noun = words.findIndex((word) => unitNamed(word)?.kind === 'person');
  return noun >= 0 && words.slice(0, noun).every((word) => !STOP_WORDS.has(word));
}

/** The figures of each side that the other side does not have, each as often as it has it. */
export function unmatched(one: readonly Figure[], other: readonly Figure[]): [Figure[], Figure[]] {
  const left = [...other];
  const own = one.filter((figure) => {
    const at = left.findIndex((known) => sameNumber(figure, known));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [own, left];
}

export function figuresDiffer(one: readonly Figure[], other: readonly Figure[]): boolean {
  const [left, right] = unmatched(one, other);
  return left.some((figure) => right.some((known) => areOfOneKind(figure, known)));
}

/** Months and weeks cannot be told in each other, and are times all the same. */
function areOfOneKind({ unit }: Figure, { unit: other }: Figure): boolean {
  const areTimes = [unit, other].every((name) => TIMES.has(unitNamed(name)?.kind ?? ''));
  return areTimes || unitRatio(unit, other) !== null;
}
