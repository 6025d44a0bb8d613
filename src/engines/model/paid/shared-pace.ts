import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SharedLimits } from '../../../stores/shared-limits';
import { takeLease } from './call-lease';

export interface SharedPaceSettings {
  limits: SharedLimits;
  /** Without a name, a password or a query: what all who ask there share. */
  endpoint: string;
  /** How many calls are under way at once in all processes, at most; null for no limit. */
  maxSharedCalls: number | null;
  /** How many calls begin within a second in all processes, at most; null for no limit. */
  requestsPerSecond: number | null;
  /** After a process died, its slots come back after so long. Default 15,000. */
  slotMs?: number;
  /** By which calls wait for slots and turns. The machine's where it is absent. */
  clock?: PaceClock;
}

export interface PaceClock {
  /** Milliseconds since any moment. */
  now(): number;
  /** Rejects with the signal's own reason where it is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * What a call waits for. `place`: behind other calls of this process, or because the endpoint asked for a pause; `slot`,
 * `turn`: behind those of all processes.
 */
export type PaceWait = 'place' | 'slot' | 'turn';

/** Is told how calls fare before they are made. */
export interface PaceListener {
  waited(waitedFor: PaceWait, ms: number): void;
  /** A slot of those that are shared is held, or given back. */
  held(change: 1 | -1): void;
}

/** The limits that all processes keep together which share the stores. */
export interface SharedPace {
  /**
   * Resolves when a call may begin, with what ends its slot. Rejects with the signal's reason, or with what the store fails
   * with: where it cannot be asked no call begins.
   */
  enter(signal: AbortSignal, listener: PaceListener): Promise<Leave>;
}

export type Leave = () => Promise<void>;

const NOTHING_HELD: Leave = () => Promise.resolve();

const SLOT_MS = 15_000;
/** How often a slot is tried for that others hold, about: all processes try as often, so that each gets its share. */
const LOOK_MS = 50;
/**
 * Turns are so much further apart that no second has one call too many where one begins late, by up to this; a call that
 * would begin later takes another turn.
 */
const LATE_MS = 250;
/** Where the store or this process is always slow the rate is kept on the whole, and a second may have more. */
const TURNS_A_CALL = 5;

export function createSharedPace(settings: SharedPaceSettings): SharedPace {
  const { limits, endpoint, maxSharedCalls, requestsPerSecond, slotMs = SLOT_MS } = settings;
  const { clock = MACHINE_CLOCK } = settings;
  const process = randomUUID();
  let calls = 0;
  const forSlots = createLine();
  const forTurns = createLine();

  async function slot(most: number, signal: AbortSignal, listener: PaceListener): Promise<Leave> {
    const owner = `${process}:${(calls += 1)}`;
    for (;;) {
      const held = await takeLease(slotsOf(limits, most), endpoint, owner, slotMs);
      if (held !== null) {
        listener.held(1);
        return async () => {
          listener.held(-1);
          // One that cannot be given back ends by itself; the call has been made.
          await held.release().catch(() => undefined);
        };
      }
      await clock.pause(LOOK_MS * (0.5 + Math.random()), signal);
    }
  }

  /** One call of a process has a turn at a time: after a process stood still there are not many whose turns are over. */
  async function turn(perSecond: number, signal: AbortSignal): Promise<void> {
    const spaced = (perSecond * 1_000) / (1_000 + LATE_MS);
    for (let taken = 1; ; taken += 1) {
      const asked = clock.now();
      const waitMs = await limits.takeTurn(endpoint, spaced);
      if (waitMs > 0) await clock.pause(waitMs, signal);
      signal.throwIfAborted();
      // What the way to the store and back took counts too, and half is left for the way to the endpoint.
      const lateMs = clock.now() - asked - waitMs;
      if (lateMs < LATE_MS / 2 || taken === TURNS_A_CALL) return;
    }
  }

  return {
    async enter(signal, listener) {
      const since = performance.now();
      const leave =
        maxSharedCalls === null
          ? NOTHING_HELD
          : await forSlots.whenFirst(() => slot(maxSharedCalls, signal, listener), signal);
      const from = performance.now();
      if (maxSharedCalls !== null) listener.waited('slot', from - since);
      if (requestsPerSecond === null) return leave;
      try {
        await forTurns.whenFirst(() => turn(requestsPerSecond, signal), signal);
      } catch (error) {
        await leave();
        throw error;
      }
      listener.waited('turn', performance.now() - from);
      return leave;
    },
  };
}

/** A slot is a lease of which there are several. */
function slotsOf(limits: SharedLimits, slots: number): Parameters<typeof takeLease>[0] {
  return {
    acquireLease: (name, owner, ttlMs) => limits.acquireSlot(name, owner, { slots, ttlMs }),
    releaseLease: (name, owner) => limits.releaseSlot(name, owner),
  };
}

const MACHINE_CLOCK: PaceClock = {
  now: () => performance.now(),
  async pause(ms, signal) {
    try {
      await delay(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** Those who wait for the same stand in a line: only the first of them tries, and whoever leaves early holds nobody up. */
interface Line {
  /** Does the work when it is first in the line. Rejects with the signal's reason where that comes before. */
  whenFirst<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async whenFirst(work, signal) {
      const before = last;
      let done = (): void => undefined;
      last = new Promise<void>((resolve) => (done = resolve));
      try {
        await unlessAborted(before, signal);
        return await work();
      } finally {
        // Whoever left early may have stood in the middle.
        void before.then(done);
      }
    },
  };
}

async function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let leave = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (leave = resolve));
  signal.addEventListener('abort', leave, { once: true });
  try {
    if (!signal.aborted) await Promise.race([before, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
  signal.throwIfAborted();
}
