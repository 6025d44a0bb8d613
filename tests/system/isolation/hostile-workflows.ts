import { sleep, upsertMemo, workflowInfo } from '@temporalio/workflow';

// Workflows as no run should be, for the test beside this file, which bundles them.

/** Leaves promises behind that would write into a history, and works on for longer than the SDK lets a workflow task. */
export async function hog(workMs: number): Promise<void> {
  for (let n = 0; n < 50; n += 1) void Promise.resolve().then(() => upsertMemo({ hog: n }));
  const { now } = workflowInfo().unsafe;
  const until = now() + workMs;
  while (now() < until) {
    // It computes.
  }
}

/** Is activated often. */
export async function neighbour(): Promise<string> {
  for (let n = 0; n < 15; n += 1) await sleep(200);
  return 'undisturbed';
}

/** Ends the thread in which it is carried out, with all other runs of that thread. */
export async function poison(): Promise<void> {
  const { AsyncLocalStorage } = globalThis as unknown as {
    AsyncLocalStorage: { constructor: typeof Function };
  };
  const outside = AsyncLocalStorage.constructor('return process') as () => { exit(code: number): never };
  outside().exit(1);
}
