import type { Finding } from '../../contracts/report/finding';
import { namesOutcome } from '../../reading/question/names-cause';
import type { Question } from '../../reading/question/question';

/** One source that has the words for it may have them by chance. */
const LEAST_SOURCES = 2;

/** What results count for a question that asks for an effect. */
interface Outcome {
  /** Whether sources have words for what the effect is asked on; for `health` they hardly do, and every result may be one. */
  isNamed: boolean;
  /** Whether a result is on it: what a source found of something else is no answer. */
  isOn: (text: string) => boolean;
}

export function outcomeIn(findings: readonly Finding[], asked: Question): Outcome {
  const isOn = (text: string): boolean => namesOutcome(text, asked);
  const telling = findings.flatMap(({ evidence }) =>
    evidence.filter(({ quote }) => isOn(quote)).map(({ sourceId }) => sourceId),
  );
  const isNamed = new Set(telling).size >= LEAST_SOURCES;
  return { isNamed, isOn: isNamed ? isOn : () => true };
}
