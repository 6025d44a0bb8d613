import { JUDGE_DIMENSIONS } from '../../contracts/judge/dimensions';
import type { Judgement } from '../../contracts/judge/judgement';

/** What a judgement names of one part, for who writes it anew: in each dimension once for each place, without repeats. */
export function problemsOfPart(
  { scores }: Pick<Judgement, 'scores'>,
  partId: string,
): { reason: string; quote: string | null }[] {
  const problems = JUDGE_DIMENSIONS.flatMap((dimension) => {
    const { reason, places } = scores[dimension];
    const quotes = places.filter((place) => place.partId === partId).map(({ quote }) => quote);
    return [...new Set(quotes)].map((quote) => ({ reason, quote }));
  });
  return problems;
}
