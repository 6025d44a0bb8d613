import { terms } from '../../../language/words';
import { type Reading, weightedShare } from '../../../reading/features/features';
import type { Question } from '../../../reading/question/question';
import { parted, type QuestionKind } from '../../../reading/question/question-kind';

/** A part of the question, in its words, with how much it weighs. */
export interface Unmet {
  text: string;
  /** Of the whole question's weight. */
  share: number;
}

/** A part of a question is met where so much of its weight stands in a sentence, beside it or in its title. */
const MET = 0.5;

/** What a question asks about and the sentences at these places do not speak of. */
export function unmetParts(
  { question, matches, union, weights, whole }: Reading,
  places: readonly number[],
): Unmet[] {
  const columnOf = new Map(question.words.map((word, column) => [word, column]));
  return parted(question.text, question.asksForEffect).flatMap(({ text }): Unmet[] => {
    const telling = terms(text).filter((word) => !question.asking.has(word));
    const columns = [...new Set(telling)].flatMap((word) => columnOf.get(word) ?? []);
    const isMet = places.some(
      (place) => weightedShare(union, place * matches.columns, weights, columns) >= MET,
    );
    if (columns.length === 0 || isMet) return [];
    return [{ text, share: columns.reduce((sum, column) => sum + (weights[column] ?? 0), 0) / whole }];
  });
}

/** Whether a date, an amount or a name answers. */
export function asksForOneFact({ kind, asksForEffect }: Question): boolean {
  return !asksForEffect && ONE_FACT.includes(kind);
}

const ONE_FACT: readonly QuestionKind[] = ['date', 'name', 'number'];
/** In log-odds. What the best sentence leaves unmet of a question tells against it, where no single fact is asked for. */
const BARS = { effect: 1.1, fact: -0.6, other: -1.25 };
const UNMET_WEIGHT = 1.5;

/**
 * Whether passages answer, by how likely the retrieval finds it and by what the best of their sentences leaves unmet. Where an
 * effect is asked for more is wanted: studies of other treatments share the outcome, the patients and the way of comparing.
 */
export function isAnswered(reading: Reading, best: number | undefined, answerable: number): boolean {
  if (best === undefined || answerable <= 0) return false;
  const logOdds = Math.log(answerable / Math.max(1e-9, 1 - answerable));
  if (reading.question.asksForEffect) return logOdds >= BARS.effect;
  if (asksForOneFact(reading.question)) return logOdds >= BARS.fact;
  const unmet = unmetParts(reading, [best]).reduce((sum, { share }) => sum + share, 0);
  return logOdds - UNMET_WEIGHT * unmet >= BARS.other;
}
