import { JUDGE_DIMENSIONS } from '../../contracts/judge/dimensions';
import type { Judgement } from '../../contracts/judge/judgement';

/** Numbers of citations: a judge reads them, and who writes knows nothing of them. */
const NUMBERS = /\s*\[A?\d+\]/g;

/** What a judgement names of one part; what is said in several dimensions once. */
export function problemsOfPart(
  { scores }: Pick<Judgement, 'scores'>,
  partId: string,
): { reason: string; quote: string | null }[] {
  const problems = JUDGE_DIMENSIONS.flatMap((dimension) => {
    const { reason, places } = scores[dimension];
    return places
      .filter((place) => place.partId === partId)
      .map(({ quote }) => ({ reason, quote: quote?.replace(NUMBERS, '') ?? null }));
  });
  return [
    ...new Map(problems.map((problem) => [`${problem.reason}\n${problem.quote ?? ''}`, problem])).values(),
  ];
}
