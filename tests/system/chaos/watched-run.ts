import type { RunHandle } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/run/event';
import type { EngineName } from '../../../src/contracts/run/run';
import { followRun, type Followed } from '../../support/kills/follower';
import type { KillBench } from '../../support/kills/kill-bench';
import { materialOf } from './installation';

/** A run of the suite. */
export interface PlannedRun {
  runId: string;
  engine: EngineName;
}

/** One that was started, with one who follows it. */
export interface WatchedRun extends PlannedRun {
  run: RunHandle;
  followed: Followed;
  /** Resolves with its status when it has closed and its last event was seen. */
  ended: Promise<string>;
  /** Whether it has closed, as far as is known. */
  isOver(): boolean;
  /** Resolves as soon as an event of the type was seen. */
  seen(type: RunEvent['type']): Promise<void>;
}

export async function startWatched(
  bench: KillBench,
  planned: PlannedRun,
  limitMs: number,
): Promise<WatchedRun> {
  const { runId, engine } = planned;
  const reactions = new Map<RunEvent['type'], (() => void)[]>();
  let isOver = false;
  const signal = AbortSignal.timeout(limitMs);
  const run = await bench.start(runId, materialOf(runId, engine), engine);
  const followed = followRun(run, {
    outlives: signal,
    seen({ type }) {
      const due = reactions.get(type) ?? [];
      reactions.delete(type);
      for (const react of due) react();
    },
  });
  const ended = Promise.all([run.waitUntilClosed({ signal }), followed.ended])
    .then(([{ status }]) => status as string)
    .catch((error: unknown) => (signal.aborted ? 'not ended' : `lost: ${String(error)}`))
    .finally(() => (isOver = true));
  return {
    ...planned,
    run,
    followed,
    ended,
    isOver: () => isOver,
    seen: (type) =>
      new Promise((resolve) => {
        if (followed.events.some((event) => event.type === type)) resolve();
        else reactions.set(type, [...(reactions.get(type) ?? []), resolve]);
      }),
  };
}
