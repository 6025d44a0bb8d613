import type { Usage } from '../core/contracts/run';

const spent = new WeakMap<Error, Usage>();

/** Remembers what a step had used when it failed with `error`. */
export function noteSpent(error: unknown, usage: Usage): void {
  if (error instanceof Error) spent.set(error, usage);
}

/** What a step had used when it failed with this very error; null where nothing was noted. */
export function spentBefore(error: unknown): Usage | null {
  return error instanceof Error ? (spent.get(error) ?? null) : null;
}
