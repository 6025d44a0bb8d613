import { JUDGE_DIMENSIONS } from '../../contracts/judge/dimensions';
import type { Judgement } from '../../contracts/judge/judgement';

/** A score that rounds to 5 has nothing to gain from a revision. */
const AT_THE_TOP = 4.5;

/**
 * The parts to write anew: those of the places that are named in the dimensions below the top, or where only dimensions at the
 * top name any, those. In the order in which they are first named, dimension by dimension, without repeats.
 */
export function namedParts({ scores }: Pick<Judgement, 'scores'>): string[] {
  const naming = JUDGE_DIMENSIONS.flatMap((dimension) => scores[dimension] ?? []).filter(
    ({ places, score }) => places.length > 0 && score < 5,
  );
  const below = naming.filter(({ score }) => score < AT_THE_TOP);
  const places = (below.length > 0 ? below : naming).flatMap((dimension) => dimension.places);
  return [...new Set(places.map(({ partId }) => partId))];
}
