import type { ArtifactRef } from '../../contracts/run/artifact';
import type { PassName } from '../../contracts/kinds';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { Warning } from '../../contracts/run/run';
import { openLedger, type BudgetLedger } from '../../core/budget/budget-ledger';

/** A section on its way through the passes; a reference is null until its pass has left it. */
export interface SectionState {
  id: string;
  sources: number;
  findingsRef: ArtifactRef | null;
  checksRef: ArtifactRef | null;
  /** True where it was to be cross-checked and could not. */
  unvalidated: boolean;
  draftRef: ArtifactRef | null;
}

/** Counts changes of `RunState` that an older worker could not read. */
const STATE_VERSION = 2;

/** All that a run has to remember, as plain data and small: it is what continue-as-new hands over. */
export interface RunState {
  /** Absent in what the first release carried over. */
  version?: number;
  /** ISO 8601. */
  startedAt: string;
  finishedPasses: PassName[];
  /** Run time without pauses, up to the last continue-as-new; for the time limit. */
  activeMs: number;
  passMs: Partial<Record<PassName, number>>;
  paused: boolean;
  ledger: BudgetLedger;
  warnings: Warning[];
  /** How many steps were done by quoting, because the budget or the model's answers did not allow more. */
  quotedSteps: number;
  /** What a pass could not do, and what stands in its place: a sentence for the reader each. */
  shortfalls: string[];
  /** True where nothing was found that answers the question. */
  noAnswer?: true;
  /** How many warnings the run itself has given. */
  warningsSaid: number;
  /** How often it was told that the run waits, is parked, or goes on. */
  outagesTold?: number;
  batchRefs: ArtifactRef[];
  /** Of the pass that goes on: what its rounds have come to so far, by what they do. */
  rounds?: Record<string, ArtifactRef[]>;
  /** The plan, where pass 1 goes on in a new history behind it. */
  planned?: { planRef: ArtifactRef; sections?: number };
  catalogue: { ref: ArtifactRef; sources: number } | null;
  outline: { ref: ArtifactRef } | null;
  sections: SectionState[];
  rankingRef: ArtifactRef | null;
  /** Which sources pass 2 read together; absent where each section read its own. */
  readingRef?: ArtifactRef;
  validatedRef: ArtifactRef | null;
  frameRef: ArtifactRef | null;
}

export function newRunState(input: ReportRunInput, startedAt: Date): RunState {
  return {
    version: STATE_VERSION,
    startedAt: startedAt.toISOString(),
    finishedPasses: [],
    activeMs: 0,
    passMs: {},
    paused: false,
    ledger: openLedger(input.budget),
    warnings: [],
    quotedSteps: 0,
    shortfalls: [],
    warningsSaid: 0,
    batchRefs: [],
    catalogue: null,
    outline: null,
    sections: [],
    rankingRef: null,
    validatedRef: null,
    frameRef: null,
  };
}

/** What an earlier history carried over, or nothing; throws where a newer release wrote it, so that a worker of that takes it. */
export function knownState(carried: RunState | undefined): RunState | undefined {
  const version = carried?.version ?? 1;
  if (version > STATE_VERSION)
    throw new Error(
      `The state of this run has version ${version}, and this worker knows versions up to ${STATE_VERSION}. Start a worker of the release that began the run, or of a newer one: the run goes on there by itself.`,
    );
  return carried === undefined ? undefined : { ...carried, version: STATE_VERSION };
}

/** What a pass needs of the state; a missing part is a mistake in the workflow, and no pass that has nothing to do. */
export function partOf<Part extends keyof RunState>(
  state: RunState,
  part: Part,
): NonNullable<RunState[Part]> {
  const found = state[part];
  if (found === null) throw new Error(`The run's state has no ${part} at this point.`);
  return found;
}

/** The history keeps so many warnings; the event log has them all. */
const MAX_WARNINGS = 100;

/** The same warning of several steps is one. */
export function keepWarnings(state: RunState, warnings: readonly Warning[]): void {
  for (const warning of warnings) {
    const isKnown = state.warnings.some(
      ({ code, message }) => code === warning.code && message === warning.message,
    );
    if (!isKnown && state.warnings.length < MAX_WARNINGS) state.warnings.push(warning);
  }
}
