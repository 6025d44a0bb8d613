import type { AnswerPassage } from '../contracts/answer/answer-passage';

/** So many passages under one claim are a range: the shortest that is written compactly, as document 003's own example has it. */
const RANGE = 3;

/** The ids of the passages that some claim cites together with a passage of another document, or with two more (decision 0018). */
export function multiSourceIds(
  claims: readonly { passageIds: readonly string[] }[],
  passages: ReadonlyMap<string, Pick<AnswerPassage, 'sourceId' | 'origin'>>,
): ReadonlySet<string> {
  const together = claims.filter(({ passageIds }) => {
    const cited = passageIds.flatMap((id) => passages.get(id) ?? []);
    const documents = cited.filter(({ origin }) => origin === 'text').map(({ sourceId }) => sourceId);
    return documents.length >= RANGE || new Set(documents).size > 1;
  });
  const ids = together.flatMap(({ passageIds }) => passageIds);
  return new Set(ids.filter((id) => passages.get(id)?.origin === 'text'));
}
