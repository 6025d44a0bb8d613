import { setTimeout as sleep } from 'node:timers/promises';

/** Closed before a thread is terminated: termination inside native code crashes the whole process. */
export interface NativeGate {
  /** Two flags that both threads share: the gate is closed; a call is running. */
  shared: Int32Array;
  /** Blocks further calls. Resolves when no call is running. */
  close(): Promise<void>;
}

/** Runs the call if the gate is open. Behind a closed gate the promise never settles. */
export type PassGate = <Result>(call: () => Promise<Result>) => Promise<Result>;

const CLOSED = 0;
const CALLS = 1;
/** Many times the length of a call. */
const LONGEST_CALL_MS = 10_000;

const openGates = new Set<Int32Array>();

/** Node terminates all threads when the process exits. */
function closeAllGates(): void {
  for (const shared of openGates) Atomics.store(shared, CLOSED, 1);
  for (const shared of openGates) Atomics.wait(shared, CALLS, 1, LONGEST_CALL_MS);
}

export async function withNativeGate<Result>(work: (gate: NativeGate) => Promise<Result>): Promise<Result> {
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  if (openGates.size === 0 && !process.listeners('exit').includes(closeAllGates))
    process.on('exit', closeAllGates);
  openGates.add(shared);
  try {
    return await work({
      shared,
      async close() {
        Atomics.store(shared, CLOSED, 1);
        const last = Date.now() + LONGEST_CALL_MS;
        while (Atomics.load(shared, CALLS) === 1 && Date.now() < last) await sleep(2);
      },
    });
  } finally {
    openGates.delete(shared);
  }
}

export function createPassGate(shared: Int32Array): PassGate {
  return async (call) => {
    // Set this flag before reading the other: either the closing thread sees the call, or the call does not start.
    Atomics.store(shared, CALLS, 1);
    try {
      if (Atomics.load(shared, CLOSED) === 0) return await call();
    } finally {
      Atomics.store(shared, CALLS, 0);
      Atomics.notify(shared, CALLS);
    }
    return new Promise(() => undefined);
  };
}
