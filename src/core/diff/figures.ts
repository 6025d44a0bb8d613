import { plainText } from '../assertions/plain-text';
import { quantitiesIn } from '../assertions/quantities';
import { sentenceKey } from '../near-duplicate-sentences';
import { STOP_WORDS, stemOf } from '../text/words';

/** A number as a reader sees it (`38 minutes`, `p = 0.01`) and what it is a number of. */
interface Figure {
  text: string;
  /** Unit and role, so that minutes are put against minutes. */
  sort: string;
  value: number;
}

export interface FigureChange {
  before: string | null;
  after: string | null;
}

const UNIT_AFTER = /^[\s-]?(?:%|°C|[\p{L}µ][\p{L}²³]*(?:\/[\p{L}²³\d]+)*)/u;
/** What is counted: `office workers`, `patients`. */
const COUNTED_AFTER = /^[\s-]\p{L}+(?: \p{L}+)?/u;
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

/** Whether two texts have the same words and signs but for their numbers. */
export function differOnlyInFigures(before: string, after: string): boolean {
  return withoutNumbers(before) === withoutNumbers(after);
}

function withoutNumbers(text: string): string {
  return sentenceKey(text)
    .replace(/- (?=\p{N})/gu, '')
    .replace(/\p{N}+(?:\.\p{N}+)*/gu, '#');
}

function figuresIn(text: string): Figure[] {
  const plain = plainText(text);
  return quantitiesIn(plain)
    .filter(({ role }) => role !== 'reference')
    .map(({ value, unit, role, start, end }) => {
      const name = NAME_BEFORE.exec(plain.slice(Math.max(0, start - 8), start))?.[0].trim() ?? '';
      const number = plain.slice(start, end);
      // A spelled number (`twelve weeks`) has its unit already, and `p = 0.01` needs none.
      const unitText =
        name !== '' || /\p{L}/u.test(number) ? '' : unitAfter(plain.slice(end, end + 40), unit);
      return { text: `${name} ${number}${unitText}`.trim(), sort: `${role} ${unit}`, value };
    });
}

function unitAfter(text: string, unit: string): string {
  const following = UNIT_AFTER.exec(text)?.[0] ?? '';
  const word = following.trim().toLowerCase();
  if (STOP_WORDS.has(word)) return '';
  if (unit === '' || stemOf(word) !== unit) return following;
  // No unit but a noun, or the first word of one.
  const [first = '', second] = (COUNTED_AFTER.exec(text)?.[0] ?? following).trimStart().split(' ');
  return second === undefined || STOP_WORDS.has(second.toLowerCase()) ? following : ` ${first} ${second}`;
}
