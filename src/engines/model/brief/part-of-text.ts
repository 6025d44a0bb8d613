import type { WrittenSentence } from '../../../contracts/report/draft';

/** Which subtopic each finding is planned for, or is of. */
export type HomeOf = (findingId: string) => string | undefined;

/** The subtopic that most of what the sentences claim belongs to; undefined where they claim nothing. */
export function subtopicOf(
  sentences: readonly Pick<WrittenSentence, 'findingIds' | 'isClaim'>[],
  homeOf: HomeOf,
): string | undefined {
  const votes = new Map<string, number>();
  for (const { findingIds, isClaim } of sentences) {
    // Of what a sentence tells, its first finding has most of its words.
    const home = isClaim ? homeOf(findingIds[0] ?? '') : undefined;
    if (home !== undefined) votes.set(home, (votes.get(home) ?? 0) + 1);
  }
  return [...votes].sort(([, one], [, other]) => other - one)[0]?.[0];
}
