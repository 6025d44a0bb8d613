import { answerTexts } from '../../../texts/answer';
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
  return telling.length === 0 ? null : answerTexts.notNamed(heaviest(telling));
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
  return answerTexts.notAnswered(
    heaviest(nowhere),
    nearest === undefined
      ? null
      : {
          title: nearest.title === '' ? inert(nearest.document) : quotation(nearest.title),
          who: authorNames(nearest.author).length === 0 ? '' : inert(attributionOf(nearest).subject),
          lacks: heaviest(elsewhere),
        },
  );
}

/** The parts that weigh most, in their order, in quotation marks. */
function heaviest(parts: readonly UnmetPart[]): string[] {
  const most = [...parts].sort((a, b) => b.share - a.share).slice(0, MOST_NAMED);
  return parts.filter((part) => most.includes(part)).map(({ text }) => quotation(text));
}
