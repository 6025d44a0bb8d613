import { condition } from '@temporalio/workflow';

/** What every piece of work passes through, so that a run can be paused (decision 4). */
export interface PauseGate {
  readonly paused: boolean;
  /** True where a pause has been asked for, and work that had begun is still going on. */
  readonly draining: boolean;
  pause(): void;
  resume(): void;
  /** Begins the work as soon as the run is not paused; rejects where the run is cancelled while it waits. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** `onChange` is told whenever `paused` or `draining` changes. */
export function createPauseGate(options: { paused: boolean; onChange: () => void }): PauseGate {
  let paused = options.paused;
  let underWay = 0;
  return {
    get paused() {
      return paused;
    },
    get draining() {
      return paused && underWay > 0;
    },
    pause() {
      if (paused) return;
      paused = true;
      options.onChange();
    },
    resume() {
      if (!paused) return;
      paused = false;
      options.onChange();
    },
    async pass(work) {
      if (paused) await condition(() => !paused);
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        if (paused && underWay === 0) options.onChange();
      }
    },
  };
}
