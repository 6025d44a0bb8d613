import { answeredFrom } from '../../../reading/collection/answerable';
import type { Reading } from '../../../reading/features/features';
import type { Question } from '../../../reading/question/question';
import type { RankedSentence } from '../../../reading/rank-sentences';
import type { QuestionKind } from '../../../reading/question/question-kind';
import { unmetAround } from './unmet-parts';

const ONE_FACT: readonly QuestionKind[] = ['date', 'name', 'number'];
/**
 * In log-odds. Where an effect is asked for more is wanted: studies of other treatments share the outcome, the patients and
 * the way of comparing. Measured with and without the articles in docs/evaluation.md.
 */
const BARS = { effect: 1.1, fact: -0.6, other: -1.4 };
/** What the best sentence leaves unmet of a question tells against it, where no single fact is asked for. */
const UNMET_WEIGHT = 1.5;

/** Whether a date, an amount or a name answers. */
export function asksForOneFact({ kind, asksForEffect }: Question): boolean {
  return !asksForEffect && ONE_FACT.includes(kind);
}

/**
 * Whether passages answer, by how likely the retrieval finds it and by what the best of their sentences, at its place, leaves
 * unmet.
 */
export function isAnswered(reading: Reading, best: RankedSentence | undefined, answerable: number): boolean {
  if (best === undefined || answerable <= 0) return false;
  // What is near in meaning may have none of the question's words.
  if (best.meaning !== undefined) return answerable >= answeredFrom(reading.question, best);
  const logOdds = Math.log(answerable / Math.max(1e-9, 1 - answerable));
  if (reading.question.asksForEffect) return logOdds >= BARS.effect;
  if (asksForOneFact(reading.question)) return logOdds >= BARS.fact;
  const unmet = unmetAround(reading, best).reduce((sum, { share }) => sum + share, 0);
  return logOdds - UNMET_WEIGHT * unmet >= BARS.other;
}
