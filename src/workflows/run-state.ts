import { workflowInfo } from '@temporalio/workflow';
import { type BudgetState, openBudget } from '../contracts/budget';
import type { MessageName, MessageResult, PassName, RunStatus, Warning } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import { MAX_WARNINGS } from './steps';

/** Small plain data, carried between histories and read by a run that ends early. */
export interface WorkflowState {
  /** The first execution id of the chain, which authenticates carried state. */
  chainId: string;
  startedAt: string;
  finishedPasses: PassName[];
  /** Milliseconds up to the last continue-as-new. */
  activeMs: number;
  passMs: Partial<Record<PassName, number>>;
  paused: boolean;
  /** ISO 8601; absent if not paused. */
  pausedSince?: string;
  ledger: BudgetState;
  warnings: Warning[];
  /** Steps done by quoting, because of the budget or unusable answers. */
  quotedSteps: number;
  shortfalls: string[];
  noAnswer?: true;
  addedRounds?: number;
  /** The pinned prompts; absent if all are built in. */
  promptsRef?: ArtifactRef;
  warningsSaid: number;
  /** The last applied messages, oldest first, so that each is applied once. */
  applied?: AppliedMessage[];
  appliedCounts?: Partial<Record<MessageName, number>>;
  outagesTold?: number;
  /** Results of finished rounds of the current pass, by name of the work. */
  rounds?: Record<string, ArtifactRef[]>;
  search?: SearchState;
}

export function isNewRun({ finishedPasses, rounds, search }: WorkflowState): boolean {
  return finishedPasses.length === 0 && rounds === undefined && search === undefined;
}

/** Skips duplicates, and warnings beyond `MAX_WARNINGS`. */
export function addWarnings(carried: WorkflowState, warnings: readonly Warning[]): void {
  for (const warning of warnings) {
    const isKnown = carried.warnings.some(
      ({ code, message }) => code === warning.code && message === warning.message,
    );
    if (!isKnown && carried.warnings.length < MAX_WARNINGS) carried.warnings.push(warning);
  }
}

export function restoreState<Carried extends WorkflowState>(
  begin: () => Omit<Carried, keyof WorkflowState>,
  input: RunInput,
  given: Carried | undefined,
): Carried {
  if (given !== undefined) return given;
  const { startTime, firstExecutionRunId } = workflowInfo();
  const general: WorkflowState = {
    chainId: firstExecutionRunId,
    startedAt: startTime.toISOString(),
    finishedPasses: [],
    activeMs: 0,
    passMs: {},
    paused: false,
    ledger: openBudget(input.budget),
    warnings: [],
    quotedSteps: 0,
    shortfalls: [],
    warningsSaid: 0,
  };
  return { ...general, ...begin() } as unknown as Carried;
}

/** The next history does not need this state. */
export interface HistoryState {
  pass: PassName;
  parts: { done: number; of: number };
  donePieces: string[];
  /** Milliseconds of the workflow clock. */
  passSince: number;
  sources: { read: number; of: number } | null;
  /** ISO 8601; null if the run does not wait for approval. */
  approvalSince: string | null;
  /** Set for a status other than running or paused. */
  special: RunStatus | null;
  facts: readonly string[];
}

export function initialHistoryState(pass: PassName): HistoryState {
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

export function enterPass(state: HistoryState, pass: PassName): void {
  const begun = { parts: { done: 0, of: 0 }, donePieces: [], sources: null, passSince: Date.now() };
  Object.assign(state, { pass, ...begun });
}

interface SearchState {
  rounds: number;
  resultsRefs: ArtifactRef[];
  /** The last batch of attempts, which links to the earlier ones. */
  triedRef: ArtifactRef | null;
  accountRef?: ArtifactRef;
  now?: SearchRound;
}

interface SearchRound {
  queriesRef?: ArtifactRef;
  /** True if this round's results are in `resultsRefs`. */
  isAsked?: true;
  worksRef?: ArtifactRef;
  works: number;
  next: number;
  pages: number;
  bytes: number;
  /** Deadline for reading pages, ISO 8601; absent before. */
  until?: string;
  isOver: 'pages' | 'bytes' | 'time' | null;
}

export const INITIAL_SEARCH: Pick<SearchState, 'rounds' | 'resultsRefs' | 'triedRef'> = {
  rounds: 0,
  resultsRefs: [],
  triedRef: null,
};

export const INITIAL_ROUND: SearchRound = { works: 0, next: 0, pages: 0, bytes: 0, isOver: null };

/** Null if no search is running or about to start. */
export function searchMessage(
  search: { indexes: readonly { name: string }[]; maxPages: number } | undefined,
  carried: SearchState | undefined,
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
