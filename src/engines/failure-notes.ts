import type { Usage } from '../contracts/run/run';

/** Whether what failed a step may be gone later, and when to look again. */
export interface FailureAdvice {
  /** What kind of failure it is, such as `rate-limited`. */
  kind: string;
  retryable: boolean;
  /** Null where nothing is known. */
  retryAfterMs: number | null;
}

/** What an engine knows of a failed step beyond the error. */
export interface FailureNotes {
  /** What the step had used by then. */
  spent: Usage;
  /** Null where the error says all. */
  advice: FailureAdvice | null;
}

const notes = new WeakMap<object, FailureNotes>();

export function noteFailure(error: unknown, known: FailureNotes): void {
  if (isObject(error)) notes.set(error, known);
}

/** What is known of this very error; null where nothing was noted. */
export function notesOn(error: unknown): FailureNotes | null {
  return isObject(error) ? (notes.get(error) ?? null) : null;
}

/** An aborted call throws what is no `Error` of this realm where a test runner has its own. */
function isObject(error: unknown): error is object {
  return typeof error === 'object' && error !== null;
}
