import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunShape } from '../../contracts/run/run-input';
import { activities } from './activities';
import { batchesOf } from '../../core/run/batches';
import { inParallel } from './in-parallel';
import type { Run } from './run';

export interface RoundWork<Item> {
  /** Names the work in what is carried over. */
  name: string;
  shape: RunShape;
  items: readonly Item[];
  /** Null where nothing came of an item. */
  work: (item: Item, index: number) => Promise<ArtifactRef | null>;
  join: (refs: ArtifactRef[], round: number) => Promise<ArtifactRef>;
}

/** How many parts such work has: each item is one, and where there is more than one round each round's end. */
export function partsInRounds({ round }: RunShape, items: number): number {
  return items <= round ? items : items + Math.ceil(items / round);
}

export function partsDone({ carried }: Run, { round }: RunShape, name: string): number {
  return (carried.rounds?.[name]?.length ?? 0) * (round + 1);
}

/**
 * What comes of a list of work: a reference for each item where one round takes them all. Of more each round's are joined
 * into one, and behind each round the run may go on in a new history, which begins with the next.
 */
export async function inRounds<Item>(
  run: Run,
  { name, shape, items, work, join }: RoundWork<Item>,
): Promise<{ refs: ArtifactRef[]; joined: boolean }> {
  const does = async (from: number, to: number): Promise<ArtifactRef[]> => {
    const refs = await inParallel(items.slice(from, to), shape.atOnce, (item, at) => work(item, from + at));
    return refs.flatMap((ref) => ref ?? []);
  };
  if (items.length <= shape.round) return { refs: await does(0, items.length), joined: false };
  const refs = run.carried.rounds?.[name] ?? [];
  for (const { from, to } of batchesOf(items.length, shape.round).slice(refs.length)) {
    refs.push(await join(await does(from, to), refs.length));
    run.carried.rounds = { ...run.carried.rounds, [name]: refs };
    await run.continueAsNewIfLong();
  }
  return { refs, joined: true };
}

/** A round's results as one list, so that inputs carry references to lists and never the lists. */
export async function listed(run: Run, refs: ArtifactRef[], round: number): Promise<ArtifactRef> {
  const request = { runId: run.input.runId, refs };
  const { listRef } = await run.carryOut(activities.listArtifacts, request, `list round ${round + 1}`);
  return listRef;
}
