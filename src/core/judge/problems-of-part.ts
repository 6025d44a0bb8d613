import { JUDGE_DIMENSIONS } from '../../contracts/judge/dimensions';
import type { Judgement } from '../../contracts/judge/judgement';

/** Numbers of citations: a judge reads them, and who writes knows nothing of them. */
const NUMBERS = /\s*\[A?\d+\]/g;

const UNSCORED = { reason: '', places: [] };

/**
 * What a judgement names of one part; what is said in several dimensions once. A claim that was set aside has no words left in
 * the part, so that its accuracy names the part as a whole: where an audit names those claims itself, that says nothing more.
 */
export function problemsOfPart(
  { scores }: Pick<Judgement, 'scores'>,
  partId: string,
  { areClaimsNamed = false }: { areClaimsNamed?: boolean } = {},
): { reason: string; quote: string | null }[] {
  const problems = JUDGE_DIMENSIONS.flatMap((dimension) => {
    const { reason, places } = scores[dimension] ?? UNSCORED;
    const isNamedElsewhere = areClaimsNamed && dimension === 'factualAccuracy';
    return places
      .filter((place) => place.partId === partId && !(isNamedElsewhere && place.quote === null))
      .map(({ quote }) => ({ reason, quote: quote?.replace(NUMBERS, '') ?? null }));
  });
  return [
    ...new Map(problems.map((problem) => [`${problem.reason}\n${problem.quote ?? ''}`, problem])).values(),
  ];
}
