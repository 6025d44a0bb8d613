/** Whether what failed a step may be gone later, and when to look again. */
export interface FailureAdvice {
  /** What kind of failure it is, such as `rate-limited`. */
  kind: string;
  retryable: boolean;
  /** Null where nothing is known. */
  retryAfterMs: number | null;
}

const advices = new WeakMap<Error, FailureAdvice>();

/** Remembers what an engine knows of a failure beyond its message. */
export function noteAdvice(error: Error, advice: FailureAdvice): void {
  advices.set(error, advice);
}

/** What is known of this very error; null where nothing was noted. */
export function adviceOn(error: Error): FailureAdvice | null {
  return advices.get(error) ?? null;
}
