import type { PassName } from '../../contracts/kinds';
import type { RunStatus } from '../../contracts/run/run';

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
