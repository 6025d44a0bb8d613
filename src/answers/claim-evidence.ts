import type { AnswerClaim } from '../contracts/answer/answer';
import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { Evidence } from '../contracts/report/finding';

/** A passage with its number in the answer. */
export type NumberedPassage = AnswerPassage & { n: number };

/**
 * The place that a verdict rests on, under the number of the passage that holds it. An audit that read passages alone says it
 * by a passage's id with offsets into the passage; it is then told by offsets into its source.
 */
export function claimEvidence(
  evidence: Evidence | null,
  cited: readonly NumberedPassage[],
): AnswerClaim['evidence'] {
  if (evidence === null) return [];
  const { sourceId, quote, start, end, page } = evidence;
  const own = cited.find(({ id, text }) => id === sourceId && text.slice(start, end) === quote);
  const holding = cited.find((passage) => {
    return passage.sourceId === sourceId && passage.start <= start && end <= passage.end;
  });
  const passage = own ?? holding ?? cited.find((other) => other.sourceId === sourceId);
  if (passage === undefined) return [];
  const by = own === undefined ? 0 : own.start;
  const onPage = page ?? (passage.pages?.from === passage.pages?.to ? passage.pages?.from : undefined);
  return [
    {
      n: passage.n,
      sourceId: passage.sourceId,
      quote,
      start: start + by,
      end: end + by,
      ...(onPage === undefined ? {} : { page: onPage }),
    },
  ];
}
