import { workflowInfo } from '@temporalio/workflow';
import { type BudgetLedger, openLedger } from '../contracts/budget';
import type { MessageName, MessageResult, PassName, RunStatus, Warning } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import { MAX_WARNINGS } from './steps';

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

/** Where a run is in this history: what is told of it, and nothing that the next history needs. */
export interface RunState {
  pass: PassName;
  parts: { done: number; of: number };
  /** The ids of the pieces that the pass is done with, in the order in which they were. */
  donePieces: string[];
  /** Milliseconds of the workflow's clock. */
  passSince: number;
  /** Sources that the pass has read, of all that it reads; null in a pass that reads none. */
  sources: { read: number; of: number } | null;
  /** ISO 8601; null where the run does not wait for somebody to approve of what it has made. */
  approvalSince: string | null;
  /** Set where the run is more than running or paused. */
  special: RunStatus | null;
  facts: readonly string[];
}

export function beginState(pass: PassName): RunState {
  return {
    pass,
    parts: { done: 0, of: 0 },
    donePieces: [],
    passSince: Date.now(),
    sources: null,
    approvalSince: null,
    special: null,
    facts: [],
  };
}

export function enterPass(state: RunState, pass: PassName): void {
  const begun = { parts: { done: 0, of: 0 }, donePieces: [], sources: null, passSince: Date.now() };
  Object.assign(state, { pass, ...begun });
}

interface CarriedSearch {
  /** How many rounds are over. */
  rounds: number;
  /** What indexes answered, a reference a round. */
  resultsRefs: ArtifactRef[];
  /** What was tried, the last batch; the others lie behind it. */
  triedRef: ArtifactRef | null;
  /** What became of all that was found; absent before the end of the first round. */
  accountRef?: ArtifactRef;
  now?: SearchRound;
}

interface SearchRound {
  queriesRef?: ArtifactRef;
  /** Whether this round's results are the last of those above. */
  isAsked?: true;
  worksRef?: ArtifactRef;
  works: number;
  /** The place of the next work that is tried. */
  next: number;
  pages: number;
  bytes: number;
  /** ISO 8601; until then pages are asked for. Absent before the first is. */
  until?: string;
  isOver: 'pages' | 'bytes' | 'time' | null;
}

export const NOTHING_SEARCHED: Pick<CarriedSearch, 'rounds' | 'resultsRefs' | 'triedRef'> = {
  rounds: 0,
  resultsRefs: [],
  triedRef: null,
};

export const ROUND_BEGINS: SearchRound = { works: 0, next: 0, pages: 0, bytes: 0, isOver: null };

/** What is said of a search that is under way, or about to be; null where none is. */
export function searchMessage(
  search: { indexes: readonly { name: string }[]; maxPages: number } | undefined,
  carried: CarriedSearch | undefined,
): string | null {
  if (search === undefined || (carried !== undefined && carried.now === undefined)) return null;
  const { worksRef, works = 0, pages = 0 } = carried?.now ?? {};
  if (worksRef === undefined) return `Searching ${search.indexes.map(({ name }) => name).join(', ')}…`;
  return `Reading what the search found: ${pages} of ${Math.min(works, search.maxPages)} pages…`;
}

export interface AppliedMessage {
  id: string;
  name: MessageName;
  mark: string;
  result: Omit<MessageResult, 'id'>;
}
