import type { FailedStep } from '../core/run/fallback-sentence';
import type { Usage } from '../contracts/run/run';

export interface FailureAdvice {
  /** What kind of failure it is, such as `rate-limited`. */
  kind: string;
  retryable: boolean;
  /** Null where nothing is known. */
  retryAfterMs: number | null;
  /** Who refused, such as `gpt-5 at api.example.com`. */
  askedOf: string;
  /** The endpoint's own words; empty where it has none. */
  says: string;
}

export interface FailureNotes {
  spent: Usage;
  /** Null where the error says all. */
  advice: FailureAdvice | null;
  /** Why a step gave nothing; absent where that is not known. */
  failed?: FailedStep;
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
