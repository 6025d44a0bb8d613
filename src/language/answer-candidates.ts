import { MONTH as MONTH_NAME } from './months';
import { STOP_WORDS } from './words';

export type AnswerKind = 'date' | 'number' | 'name';

/** A stretch of a text that could be an answer; `start` is a UTF-16 offset. */
export interface Candidate {
  start: number;
  text: string;
}

const MONTH = `(?:${MONTH_NAME})\\.?`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?:1[0-9]|20)\d\d`;
const DATE = new RegExp(
  [
    `\\b${MONTH} ${DAY}(?: ?,? ?${YEAR})?`,
    `\\b${DAY} ${MONTH}(?: ?,? ?${YEAR})?`,
    `\\b${MONTH} ${YEAR}`,
    `\\b${YEAR}s?\\b`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th) century`,
  ].join('|'),
  'gi',
);
const NUMBER_WORDS =
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half';
const AMOUNT = new RegExp(String.raw`[$€£]? ?\b\d[\d,]*(?:\.\d+)?%?|\b(?:${NUMBER_WORDS})\b`, 'gi');
const NAME_PART = String.raw`[\p{Lu}\p{N}][\p{L}\p{N}'’.-]*`;
const NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*(?:\s+(?:(?:of|the|de|von|van|and|&)\s+)?${NAME_PART})*`,
  'gu',
);

/** The stretches of a text that could answer a question for a date, an amount or a name, in their order. */
export function answerCandidates(text: string, kind: AnswerKind): Candidate[] {
  const found = (pattern: RegExp): Candidate[] =>
    [...text.matchAll(pattern)].map((match) => ({ start: match.index, text: match[0].trim() }));
  if (kind === 'date') return found(DATE);
  if (kind === 'name')
    return found(NAME).filter(
      ({ start, text: name }) => !STOP_WORDS.has(name.toLowerCase()) && (start > 0 || name.includes(' ')),
    );
  const inDates = found(DATE).map(({ start, text: date }) => [start, start + date.length] as const);
  return found(AMOUNT).filter(({ start }) => !inDates.some(([from, to]) => from <= start && start < to));
}
