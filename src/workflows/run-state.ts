import type { ArtifactRef } from '../core/contracts/artifact';
import type { PassName, ReportRunInput, Warning } from '../core/contracts/run';
import { openLedger, type BudgetLedger } from '../core/budget-ledger';

/** A section on its way through the passes; a reference is null until its pass has left it. */
export interface SectionState {
  id: string;
  title: string;
  sources: number;
  findingsRef: ArtifactRef | null;
  checksRef: ArtifactRef | null;
  /** True where it was to be cross-checked and could not. */
  unvalidated: boolean;
  draftRef: ArtifactRef | null;
}

/** All that a run has to remember, as plain data and small: it is what continue-as-new hands over. */
export interface RunState {
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
  batchRefs: ArtifactRef[];
  catalogue: { ref: ArtifactRef; sources: number } | null;
  outline: { ref: ArtifactRef; overallTheme: string } | null;
  sections: SectionState[];
  rankingRef: ArtifactRef | null;
  /** Which sources pass 2 read together; absent where each section read its own. */
  readingRef?: ArtifactRef;
  validatedRef: ArtifactRef | null;
  frameRef: ArtifactRef | null;
}

export function newRunState(input: ReportRunInput, startedAt: Date): RunState {
  return {
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
