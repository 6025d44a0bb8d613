import { setTimeout as delay } from 'node:timers/promises';
import type { RunHandle } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/run/event';

/** What was seen of a run, by one who goes on from the last number that it saw whenever it is cut off. */
export interface FollowedRun {
  readonly events: readonly RunEvent[];
  /** Behind which event it was cut off, each time. */
  readonly cuts: readonly { after: number; midText: boolean }[];
  /** Resolves when the run's last event was seen, or `signal` has aborted. */
  ended: Promise<void>;
}

const AGAIN_MS = 50;

/** `seen` is told of each event at once. */
export function followRun(
  run: RunHandle,
  { signal, seen }: { signal: AbortSignal; seen: (event: RunEvent) => void },
): FollowedRun {
  const events: RunEvent[] = [];
  const cuts: { after: number; midText: boolean }[] = [];
  const lastNumber = (): number => events.at(-1)?.number ?? 0;

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const event of run.events({ after: lastNumber(), signal })) {
          events.push(event);
          seen(event);
        }
        return;
      } catch {
        // Whatever it was: it is asked again, and the run's limit of time bounds it.
        const after = lastNumber();
        if (cuts.at(-1)?.after !== after)
          cuts.push({ after, midText: events.at(-1)?.type === 'content-chunk' });
        await delay(AGAIN_MS);
      }
    }
  }
  return { events, cuts, ended: follow() };
}
