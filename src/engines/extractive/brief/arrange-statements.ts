import { groupedBy } from '../../../core/values/grouped-by';
import type { BriefStatement } from './brief-statements';
import type { Disagreement } from './disagreements';
import { type Block, blocksOf } from './statement-blocks';

/**
 * The chosen statements by the subtopic under which they are told. They keep their order, but what disagrees with an earlier one
 * of its subtopic stands right behind that; statements that lean on each other stay together.
 */
export function arrangeStatements(
  chosen: readonly BriefStatement[],
  against: readonly Disagreement[],
): Map<string, BriefStatement[]> {
  const blocks = blocksOf([...chosen].sort((a, b) => a.at - b.at));
  const blockOf = new Map(blocks.flatMap((block) => block.map(({ id }) => [id, block] as const)));
  const behind = new Map<Block, Block[]>();
  const moved = new Set<Block>();
  for (const { sides } of against) {
    const views = sides.flatMap(([first]) => {
      const block = blockOf.get(first?.id ?? '');
      return block === undefined ? [] : [block];
    });
    const [anchor, ...others] = [...new Set(views)].sort((a, b) => placeOf(a) - placeOf(b));
    if (anchor === undefined || moved.has(anchor)) continue;
    const free = others.filter(
      (other) => isOfOneSubtopic(anchor, other) && !moved.has(other) && !behind.has(other),
    );
    for (const other of free) moved.add(other);
    if (free.length > 0) behind.set(anchor, [...(behind.get(anchor) ?? []), ...free]);
  }
  const staying = blocks.filter((block) => !moved.has(block));
  const bySubtopic = groupedBy(staying, ([first]) => first?.subtopicId ?? '');
  const withViews = (own: readonly Block[]): BriefStatement[] =>
    own.flatMap((block) => [...block, ...(behind.get(block) ?? []).flat()]);
  return new Map([...bySubtopic].map(([id, own]) => [id, withViews(own)]));
}

function isOfOneSubtopic([one]: Block, [other]: Block): boolean {
  return one?.subtopicId === other?.subtopicId;
}

function placeOf([first]: Block): number {
  return first?.at ?? 0;
}
