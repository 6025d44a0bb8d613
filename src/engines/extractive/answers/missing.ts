import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import type { WordCounts } from '../../../contracts/report/word-counts';
import { attributionOf, authorNames } from '../../../core/writing/attribution';
import { inert, quotation } from '../../../core/writing/quotation';
import { terms } from '../../../language/words';
import type { UnmetPart } from './unmet-parts';

const MOST_NAMED = 3;
/** What weighs less of a question does not tell it from others. */
const TELLING = 0.1;

/** What an answer's quotes leave out of what distinguishes the question, in its own words; null where they leave out little. */
export function caveat(unmet: readonly UnmetPart[]): string | null {
  const telling = unmet.filter(({ share }) => share >= TELLING);
  return telling.length === 0
    ? null
    : `What is quoted does not name ${listed(telling)}: it may be of something near it.`;
}

/** Why nothing is answered: which parts of the question stand nowhere, which not in what is nearest, and what that is. */
export function noAnswer(
  unmet: readonly UnmetPart[],
  { holders }: WordCounts,
  nearest: AnswerPassage | undefined,
): string {
  const isNowhere = ({ text }: UnmetPart): boolean => terms(text).every((word) => (holders[word] ?? 0) === 0);
  const nowhere = unmet.filter(isNowhere);
  const elsewhere = unmet.filter((part) => !nowhere.includes(part));
  const parts = [
    'The passages do not answer the question.',
    nowhere.length === 0 ? '' : `Nothing that was searched names ${listed(nowhere)}.`,
    nearest === undefined ? '' : `The nearest is ${named(nearest)}`,
    nearest === undefined || elsewhere.length === 0 ? '' : `, which does not speak of ${listed(elsewhere)}`,
  ];
  const [opening, absent, near, lacks] = parts;
  return [opening, absent, near === '' ? '' : `${near}${lacks}.`].filter((part) => part !== '').join(' ');
}

function listed(parts: readonly UnmetPart[]): string {
  const heaviest = [...parts].sort((a, b) => b.share - a.share).slice(0, MOST_NAMED);
  const shown = parts.filter((part) => heaviest.includes(part)).map(({ text }) => quotation(text));
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

function named(passage: AnswerPassage): string {
  const title = passage.title === '' ? inert(passage.document) : quotation(passage.title);
  if (authorNames(passage.author).length === 0) return title;
  return `${title} by ${inert(attributionOf(passage).subject)}`;
}
