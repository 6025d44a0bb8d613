import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RunInput, RunShape } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import { batchesOf } from '../lib/iterables';
import { failTask, isBug } from './input';
import type { Trial } from './outages';
import type { FinalStatus, Run } from './run-definition';
import type { CarriedRun } from './run-state';
import { ColligateCitations } from './search-attributes';
import { activities, causeMessage, isEngineUnreachable, isOutageGivenUp, MAX_REASON_CHARS } from './steps';

/**
 * Does the work for all items, `atOnce` of them at a time, and gives the results in the order of the items. When one fails
 * those under way are cancelled, and no other begins; in any case all that began have ended before this does.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const scope = new CancellationScope();
  return scope.run(async () => {
    const waiting = items.entries();
    const results = new Map<number, Result>();
    const failures: unknown[] = [];
    const takeInTurn = async (): Promise<void> => {
      for (const [index, item] of waiting) {
        if (failures.length > 0) return;
        try {
          results.set(index, await work(item, index));
        } catch (error) {
          if (isBug(error)) return failTask(error);
          failures.push(error);
          scope.cancel();
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeInTurn));
    if (failures.length > 0) throw failures.find((failure) => !isCancellation(failure)) ?? failures[0];
    return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
  });
}

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

/**
 * Does the work; where it has failed for itself, tells `failed` why, and gives null: a run goes on with what it has. A
 * cancellation goes on being one, and a run that is not to wait and has found nothing yet ends where no model can be asked.
 */
export async function orShortfall<Result>(
  run: Run,
  work: () => Promise<Result>,
  failed: (reason: string) => Promise<void> | void,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error) || isCancellation(error)) throw error;
    if (isEngineUnreachable(error) ? !run.hasFindings() : isOutageGivenUp(error)) throw error;
    await failed(reasonOf(error));
    return null;
  }
}

function isFailure(error: unknown): error is ActivityFailure | ApplicationFailure {
  return error instanceof ActivityFailure || error instanceof ApplicationFailure;
}

/** Without its full stop: it stands within a sentence. */
export function reasonOf(error: ActivityFailure | ApplicationFailure): string {
  const text = causeMessage(error).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return text.length <= MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS - 1)}…`;
}

/**
 * Says to the reader why a run ends at a failure that nothing stands in for; false where it is to fail: what it needs is
 * away, it is not to wait, and it has found nothing yet. `instead` says what stands in the place of the rest.
 */
export async function endsInShortfall(run: Run, error: unknown, instead: string): Promise<boolean> {
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) return false;
  if (isOutageGivenUp(error) && !run.hasFindings()) return false;
  const { number } = run.placeOf(run.unfinishedPass());
  const sentence = `Pass ${number} could not be finished (${reasonOf(error)}), ${instead}.`;
  // A cancellation meanwhile changes nothing: the run ends anyway.
  await CancellationScope.nonCancellable(() => run.addShortfall(sentence));
  return true;
}

interface Conclusion<Stored> {
  store: (trial: Trial) => Promise<Stored>;
  citations: (stored: Stored) => number;
  facts: (stored: Stored) => string[];
  /** Called when it is stored, before those are waited for who ask. */
  tell?: (stored: Stored) => void;
}

/** Stores the best of what there is, whatever becomes of the run meanwhile, which closes its event log, and tells the server's records. */
export function conclude<Input extends RunInput, Carried extends CarriedRun, Facts extends object, Stored>(
  run: Run<Input, Carried, Facts>,
  status: FinalStatus,
  { store, citations, facts, tell }: Conclusion<Stored>,
): Promise<Stored> {
  return CancellationScope.nonCancellable(async () => {
    const stored = await run.outlast(store, { heedsPause: false });
    if (run.input.searchAttributes)
      upsertSearchAttributes([{ key: ColligateCitations, value: citations(stored) }]);
    run.end(status, facts(stored));
    tell?.(stored);
    await condition(allHandlersFinished);
    return stored;
  });
}

/** Why a run ended before all was done, as a sentence; null where it did not. */
export function endedEarly(
  { carried: { quotedSteps }, clock }: Pick<Run, 'carried' | 'clock'>,
  status: FinalStatus,
): string | null {
  if (status === 'cancelled') return 'The run was cancelled before it was finished.';
  if (clock.timeIsUp) return 'The time allowed for the run was over before it was finished.';
  if (status === 'partial' && quotedSteps > 0)
    return quotedSteps === 1
      ? 'One step could not be left to the model, and was done without it.'
      : `${quotedSteps} steps could not be left to the model, and were done without it.`;
  return null;
}
