import { workflowInfo } from '@temporalio/workflow';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { PassName } from '../../contracts/kinds';
import type { Warning } from '../../contracts/run/run';
import type { RunInput } from '../../contracts/run/run-input';
import type { MessageName } from '../../contracts/steering/messages';
import type { AppliedMessage } from './steering/applied-message';
import type { CarriedSearch } from './search/carried-search';
import { openLedger, type BudgetLedger } from '../../core/budget/budget-ledger';
import { MAX_WARNINGS } from './run-constants';

/**
 * What a run of any kind carries on from one history to the next, as plain data and small; each kind adds what its passes have
 * made. It is written as the work is done, and read where a history goes on from another, or where a run ends early.
 */
export interface CarriedRun {
  /** The id of the first execution of the chain, by which a history knows what the one before has carried over. */
  chainId: string;
  /** ISO 8601. */
  startedAt: string;
  finishedPasses: PassName[];
  /** Run time without pauses, up to the last continue-as-new; for the time limit. */
  activeMs: number;
  passMs: Partial<Record<PassName, number>>;
  paused: boolean;
  /** ISO 8601; absent where it is not paused. */
  pausedSince?: string;
  ledger: BudgetLedger;
  warnings: Warning[];
  /** How many steps were done by quoting, because the budget or the model's answers did not allow more. */
  quotedSteps: number;
  /** What a pass could not do, and what stands in its place: a sentence for the reader each. */
  shortfalls: string[];
  noAnswer?: true;
  /** How often its passes were repeated because sources had been added; absent where never. */
  addedRounds?: number;
  /** The prompts that the run was pinned to, where they are not all the program's own. */
  promptsRef?: ArtifactRef;
  warningsSaid: number;
  /** The messages that were applied last, the oldest first, so that each is applied once. */
  applied?: AppliedMessage[];
  appliedCounts?: Partial<Record<MessageName, number>>;
  outagesTold?: number;
  /** Of the pass that goes on: what its rounds have come to so far, by what they do. */
  rounds?: Record<string, ArtifactRef[]>;
  /** What its search has come to; absent before it, and where sources are not looked for. */
  search?: CarriedSearch;
}

export function isAtItsBeginning({ finishedPasses, rounds, search }: CarriedRun): boolean {
  return finishedPasses.length === 0 && rounds === undefined && search === undefined;
}

/** The same warning of several steps is one. */
export function keepWarnings(carried: CarriedRun, warnings: readonly Warning[]): void {
  for (const warning of warnings) {
    const isKnown = carried.warnings.some(
      ({ code, message }) => code === warning.code && message === warning.message,
    );
    if (!isKnown && carried.warnings.length < MAX_WARNINGS) carried.warnings.push(warning);
  }
}

export function resumeCarried<Carried extends CarriedRun>(
  begin: () => Omit<Carried, keyof CarriedRun>,
  input: RunInput,
  given: Carried | undefined,
): Carried {
  if (given !== undefined) return given;
  const { startTime, firstExecutionRunId } = workflowInfo();
  const general: CarriedRun = {
    chainId: firstExecutionRunId,
    startedAt: startTime.toISOString(),
    finishedPasses: [],
    activeMs: 0,
    passMs: {},
    paused: false,
    ledger: openLedger(input.budget),
    warnings: [],
    quotedSteps: 0,
    shortfalls: [],
    warningsSaid: 0,
  };
  // What every kind carries, and what this one carries besides: together they are all of it.
  return { ...general, ...begin() } as unknown as Carried;
}
