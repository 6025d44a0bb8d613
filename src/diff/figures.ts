import { numbersIn } from '../language/numbers';
import { tokensOf } from '../language/tokens';
import { STOP_WORDS, stemOf } from '../language/words';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';

/** A number as a reader sees it (`38 minutes`, `p = 0.01`) and what it is a number of. */
interface Figure {
  text: string;
  /** Unit and name, so that minutes are put against minutes. */
  sort: string;
  value: number;
}

export interface FigureChange {
  before: string | null;
  after: string | null;
}

const COUNTED_AFTER = /^( \p{L}+)( \p{L}+)?/u;
/** A number of a key, with its sign. */
const NUMBER_TOKEN = /(?:- )?\p{N}+(?:\.\p{N}+)*/gu;
const NAME_BEFORE = /\b(?:p|n|OR|RR|HR|CI|SD)\s?[=<>≤≥]\s?$/i;

/** The numbers that only one of two texts has, those of one sort against each other in their order. */
export function figureChanges(before: string, after: string): FigureChange[] {
  const [removed, added] = [figuresIn(before), figuresIn(after)];
  for (const figure of [...removed]) {
    const at = added.findIndex(({ sort, value }) => sort === figure.sort && value === figure.value);
    if (at < 0) continue;
    added.splice(at, 1);
    removed.splice(removed.indexOf(figure), 1);
  }
  const changes = removed.map((figure): FigureChange => {
    const at = added.findIndex(({ sort }) => sort === figure.sort);
    const [partner] = at < 0 ? [] : added.splice(at, 1);
    return { before: figure.text, after: partner?.text ?? null };
  });
  return [...changes, ...added.map(({ text }) => ({ before: null, after: text }))];
}

export function differOnlyInFigures(before: string, after: string): boolean {
  const [one, other] = [before, after].map((text) => sentenceKey(text).replace(NUMBER_TOKEN, '#'));
  return one === other;
}

/**
 * Whether two texts of the same words differ in a single number. Two results of one study that are worded alike differ in
 * more: with another dose or time comes another figure.
 */
export function areOneFigureApart(before: string, after: string): boolean {
  if (!differOnlyInFigures(before, after)) return false;
  const [left, right] = [before, after].map((text) => sentenceKey(text).match(NUMBER_TOKEN) ?? []);
  return left?.filter((number, at) => number !== right?.[at]).length === 1;
}

function figuresIn(text: string): Figure[] {
  const plain = text.replace(/\s/g, ' ');
  return numbersIn(plain).map(({ value, unit, start, end, endOfUnit, isWord, isDate }) => {
    const name = NAME_BEFORE.exec(plain.slice(Math.max(0, start - 8), start))?.[0].trim() ?? '';
    const isCount = unit === '' && name === '' && !isWord && !isDate;
    const counted = isCount ? countedAfter(plain.slice(end, end + 40)) : '';
    const sort = unit === '' ? `${name} ${stemOf(tokensOf(counted).at(-1) ?? '')}` : unit;
    return { text: `${name} ${plain.slice(start, endOfUnit)}${counted}`.trim(), sort, value };
  });
}

/** ` farms`; of `24 office workers` both words, because the first alone counts nothing. */
function countedAfter(text: string): string {
  const [, first = '', second = ''] = COUNTED_AFTER.exec(text) ?? [];
  if (STOP_WORDS.has(first.trim().toLowerCase())) return '';
  return first.endsWith('s') || STOP_WORDS.has(second.trim().toLowerCase()) ? first : first + second;
}
