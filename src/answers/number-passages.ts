import type { AnswerPassage } from '../contracts/answer/answer-passage';
import { citedIds } from '../core/text/citation-marks';

/** Passage id → its number in the answer: from 1 without holes, in the order in which the text first cites them. */
export function numberPassages(
  markdown: string,
  passages: readonly Pick<AnswerPassage, 'id'>[],
): ReadonlyMap<string, number> {
  const known = new Set(passages.map(({ id }) => id));
  const cited = new Set(citedIds(markdown).filter((id) => known.has(id)));
  return new Map([...cited].map((id, at) => [id, at + 1]));
}
