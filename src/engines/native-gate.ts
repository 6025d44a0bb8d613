import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A thread that is ended within native code takes the whole process with it: what it throws then nobody catches. Each task has a
 * gate that its thread passes for each call of native code, and that is closed before the thread is ended.
 */
export interface NativeGate {
  /** What both threads see: whether the gate is closed, and whether a call is under way. */
  shared: Int32Array;
  /** Lets no further call begin, and resolves when none is under way. */
  close(): Promise<void>;
}

/** Makes a call when the gate lets it pass. Behind a closed gate nothing goes on: the thread is about to be ended. */
export type PassGate = <Result>(call: () => Promise<Result>) => Promise<Result>;

const CLOSED = 0;
const CALLS = 1;
/** Many times what a call takes; one that hangs would be waited for in vain. */
const LONGEST_CALL_MS = 10_000;

const open = new Set<Int32Array>();

/** Node ends all threads of a process that exits. */
function closeAll(): void {
  for (const shared of open) Atomics.store(shared, CLOSED, 1);
  for (const shared of open) Atomics.wait(shared, CALLS, 1, LONGEST_CALL_MS);
}

export async function withGate<Result>(work: (gate: NativeGate) => Promise<Result>): Promise<Result> {
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  if (open.size === 0 && !process.listeners('exit').includes(closeAll)) process.on('exit', closeAll);
  open.add(shared);
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
    open.delete(shared);
  }
}

export function passing(shared: Int32Array): PassGate {
  return async (call) => {
    // Said before it is looked: whoever closes the gate either sees the call or keeps it from beginning.
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
