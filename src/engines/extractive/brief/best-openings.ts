import type { BriefStatement } from './brief-statements';
import type { StatementChoice } from './choose-statements';

interface Options {
  /** Best first. */
  ranked: readonly BriefStatement[];
  /** The words of each subtopic. */
  shares: ReadonlyMap<string, number>;
  costOf(statement: BriefStatement): number;
}

/** An opening may take so much more than its subtopic's share, where others leave it that. */
const BEYOND_SHARE = 2;

/**
 * One statement for each subtopic, the best one where there is room; where there is not, those are exchanged for shorter ones
 * by which the least is lost for the words that are won.
 */
export function bestOpenings(
  { values, room }: StatementChoice,
  { ranked, shares, costOf }: Options,
): BriefStatement[] {
  const worthOf = ({ id }: BriefStatement): number => values.get(id)?.keeping ?? 0;
  const openings = [...shares].flatMap(([subtopicId, share]) => {
    const own = ranked.filter((one) => one.subtopicId === subtopicId);
    const fitting = own.find((one) => costOf(one) <= BEYOND_SHARE * share);
    const shortest = own.reduce<BriefStatement | undefined>(
      (best, one) => (best === undefined || costOf(one) < costOf(best) ? one : best),
      undefined,
    );
    return fitting ?? shortest ?? [];
  });
  for (;;) {
    const total = openings.reduce((sum, one) => sum + costOf(one), 0);
    if (total <= room) return openings;
    const exchanges = openings.flatMap((old, at) =>
      ranked
        .filter((one) => one.subtopicId === old.subtopicId && costOf(one) < costOf(old))
        .map((one) => ({ at, one, loss: (worthOf(old) - worthOf(one)) / (costOf(old) - costOf(one)) })),
    );
    const [least] = exchanges.sort((a, b) => a.loss - b.loss);
    if (least === undefined) return openings;
    openings[least.at] = least.one;
  }
}
