import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import type { WordCounts } from '../../../contracts/report/word-counts';
import { attributionOf, authorNames } from '../../../core/writing/attribution';
import { inert, quotation } from '../../../core/writing/quotation';
import { terms } from '../../../language/words';
import { type Reading, weightedShare } from '../../../reading/features/features';
import type { Question } from '../../../reading/question/question';
import { type Phrase, parted } from '../../../reading/question/question-kind';

/** A part of a question is met where so much of its weight stands in a sentence, around it or in its title. */
const MET = 0.5;
const MOST_NAMED = 3;

/** What a question asks about and the sentences at these places do not speak of, in the question's own words. */
export function unmetPhrases(reading: Reading, places: readonly number[]): string[] {
  const { question, matches, union, weights } = reading;
  const columnOf = new Map(question.words.map((word, column) => [word, column]));
  const isUnmet = ({ text }: Phrase): boolean => {
    const columns = terms(text).flatMap((word) =>
      question.asking.has(word) ? [] : (columnOf.get(word) ?? []),
    );
    return (
      columns.length > 0 &&
      places.every((place) => weightedShare(union, place * matches.columns, weights, columns) < MET)
    );
  };
  return parted(question.text, question.asksForEffect).filter(isUnmet).map(({ text }) => text);
}

/** That an answer's quotes leave out what distinguishes the question; null where they do not. */
export function caveat(unmet: readonly string[], nearest: AnswerPassage | undefined): string | null {
  if (unmet.length === 0) return null;
  return `What is quoted does not name ${listed(unmet)}${nearest === undefined ? '' : `; the nearest is ${named(nearest)}`}.`;
}

/** Why nothing is answered: which of the question's words stand nowhere, and what comes nearest. */
export function noAnswer(
  question: Question,
  { holders }: WordCounts,
  { unmet, nearest }: { unmet: readonly string[]; nearest: AnswerPassage | undefined },
): string {
  const nowhere = parted(question.text, question.asksForEffect)
    .map(({ text }) => text)
    .filter((text) => {
      const words = terms(text).filter((word) => !question.asking.has(word));
      return words.length > 0 && words.every((word) => (holders[word] ?? 0) === 0);
    });
  const elsewhere = unmet.filter((phrase) => !nowhere.includes(phrase));
  return [
    'The passages do not answer the question.',
    nowhere.length === 0 ? '' : `None of what was searched names ${listed(nowhere)}.`,
    elsewhere.length === 0 ? '' : `What comes nearest does not speak of ${listed(elsewhere)}.`,
    nearest === undefined ? '' : `The nearest source is ${named(nearest)}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function listed(phrases: readonly string[]): string {
  const shown = [...new Set(phrases)].slice(0, MOST_NAMED).map((phrase) => quotation(phrase));
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

function named(passage: AnswerPassage): string {
  const { author, title, document } = passage;
  if (title === '') return inert(document);
  const by = authorNames(author).length === 0 ? '' : ` by ${inert(attributionOf(passage).subject)}`;
  return `${quotation(title)}${by}`;
}
