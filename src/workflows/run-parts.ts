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
import type { AttemptOptions } from './outages';
import type { FinalStatus, Run } from './run-definition';
import type { WorkflowState } from './run-state';
import { ColligateCitations } from './search-attributes';
import {
  causeMessage,
  isEngineUnavailable,
  isOutageGivenUp,
  MAX_REASON_CHARS,
  sharedActivities,
} from './steps';

// Helpers of all runs: parallel work, rounds, shortfalls and the conclusion.

/** Results are in item order. The first failure cancels the rest. Settles after all started work. */
export async function mapParallel<Item, Result>(
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
  name: string;
  shape: RunShape;
  items: readonly Item[];
  work: (item: Item, index: number) => Promise<ArtifactRef | null>;
  join: (refs: ArtifactRef[], round: number) => Promise<ArtifactRef>;
}

/** One per item, plus one per round if there are several. */
export function roundPartCount({ round }: RunShape, items: number): number {
  return items <= round ? items : items + Math.ceil(items / round);
}

export function finishedPartCount({ carried }: Run, { round }: RunShape, name: string): number {
  return (carried.rounds?.[name]?.length ?? 0) * (round + 1);
}

/** Returns one reference per item, or one joined reference per round. May continue as new between rounds. */
export async function runInRounds<Item>(
  run: Run,
  { name, shape, items, work, join }: RoundWork<Item>,
): Promise<{ refs: ArtifactRef[]; joined: boolean }> {
  const does = async (from: number, to: number): Promise<ArtifactRef[]> => {
    const refs = await mapParallel(items.slice(from, to), shape.atOnce, (item, at) => work(item, from + at));
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

/** Activity inputs stay small: they refer to lists. */
export async function storeList(run: Run, refs: ArtifactRef[], round: number): Promise<ArtifactRef> {
  const request = { runId: run.input.runId, refs };
  const { listRef } = await run.carryOut(sharedActivities.listArtifacts, request, `list round ${round + 1}`);
  return listRef;
}

/** Calls `failed` and returns null. Rethrows cancellations, and outages that must end the run. */
export async function orShortfall<Result>(
  run: Run,
  work: () => Promise<Result>,
  failed: (reason: string) => Promise<void> | void,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error) || isCancellation(error)) throw error;
    if (isEngineUnavailable(error) ? !run.hasFindings() : isOutageGivenUp(error)) throw error;
    await failed(failureReason(error));
    return null;
  }
}

function isFailure(error: unknown): error is ActivityFailure | ApplicationFailure {
  return error instanceof ActivityFailure || error instanceof ApplicationFailure;
}

/** Without the final full stop, for use within a sentence. */
export function failureReason(error: ActivityFailure | ApplicationFailure): string {
  const text = causeMessage(error).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return text.length <= MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS - 1)}…`;
}

/** False if the run must fail: an outage before any findings. `instead` ends the sentence. */
export async function endWithShortfall(run: Run, error: unknown, instead: string): Promise<boolean> {
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) return false;
  if (isOutageGivenUp(error) && !run.hasFindings()) return false;
  const { number } = run.placeOf(run.unfinishedPass());
  const sentence = `Pass ${number} could not be finished (${failureReason(error)}), ${instead}.`;
  await CancellationScope.nonCancellable(() => run.addShortfall(sentence));
  return true;
}

interface Conclusion<Stored> {
  store: (trial: AttemptOptions) => Promise<Stored>;
  citations: (stored: Stored) => number;
  facts: (stored: Stored) => string[];
  tell?: (stored: Stored) => void;
}

/** Runs regardless of cancellation. Waits until all callers are answered. */
export function conclude<Input extends RunInput, Carried extends WorkflowState, Facts extends object, Stored>(
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

/** Why the run ended early, as a sentence; null if it did not. */
export function earlyEndReason(
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
