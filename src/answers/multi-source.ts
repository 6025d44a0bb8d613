import type { AnswerPassage } from '../contracts/answer/answer-passage';

/** The ids of the passages that some claim cites together with a passage of another document (decision 0018). */
export function multiSourceIds(
  claims: readonly { passageIds: readonly string[] }[],
  passages: ReadonlyMap<string, Pick<AnswerPassage, 'sourceId' | 'origin'>>,
): ReadonlySet<string> {
  const together = claims.filter(({ passageIds }) => {
    const cited = passageIds.flatMap((id) => passages.get(id) ?? []);
    const documents = cited.filter(({ origin }) => origin === 'text').map(({ sourceId }) => sourceId);
    return new Set(documents).size > 1;
  });
  const ids = together.flatMap(({ passageIds }) => passageIds);
  return new Set(ids.filter((id) => passages.get(id)?.origin === 'text'));
}
