import type { PassName } from '../../contracts/kinds';
import type { RunStatus } from '../../contracts/run/run';

/** Where a run is in this history: what is told of it, and nothing that the next history needs. */
export interface RunState {
  pass: PassName;
  /** Of the pass. */
  parts: { done: number; of: number };
  /** The ids of the pieces that the pass is done with, in the order in which they were. */
  donePieces: string[];
  /** Milliseconds of the workflow's clock. */
  passSince: number;
  /** True while the run waits for somebody to approve of what it has made. */
  awaitsApproval: boolean;
  /** Set where the run is more than running or paused. */
  special: RunStatus | null;
  /** What the run has come to in the end. */
  facts: readonly string[];
}

export function beginState(pass: PassName): RunState {
  return {
    pass,
    parts: { done: 0, of: 0 },
    donePieces: [],
    passSince: Date.now(),
    awaitsApproval: false,
    special: null,
    facts: [],
  };
}

/** Into the next pass. */
export function enterPass(state: RunState, pass: PassName): void {
  Object.assign(state, { pass, parts: { done: 0, of: 0 }, donePieces: [], passSince: Date.now() });
}
