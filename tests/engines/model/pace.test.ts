import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pace, createPace } from '../../../src/engines/model/paid/pace';
import { paidEndpoint } from '../../../src/engines/model/paid/paid-call-key';
import { createSharedPace, type SharedPaceSettings } from '../../../src/engines/model/paid/shared-pace';
import { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { openStores } from '../../../src/stores/open-stores';
import type { SharedLimits } from '../../../src/stores/shared-limits';
import type { Stores } from '../../../src/stores/stores';
import { answersJson, refuses } from '../../model-server/behaviours';
import {
  type Behaviour,
  type Script,
  sendJson,
  startModelServer,
  type ModelServer,
} from '../../model-server/model-server';
import { untilTrue, until } from '../../support/until';
import { closeEngines, context, engineAgainst } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';
import { mostInAnySecond, createMovingClock, unsharedPace } from './pace-under-test';
import type { PacedAskerOptions } from './paced-asker';

describe('the pace of one process', () => {
  afterEach(closeEngines);

  /** Answers as many as it is let, and counts how many requests came, and how many were there at once. */
  function watched(behaviourOf: (index: number) => Behaviour): {
    script: Script;
    started: () => number;
    most: () => number;
    let: (count: number) => void;
  } {
    let started = 0;
    const waiting: (() => void)[] = [];
    let open = 0;
    let most = 0;
    let free = 0;
    return {
      started: () => started,
      most: () => most,
      let: (count) => {
        free += count;
        while (free > 0 && waiting.length > 0) {
          free -= 1;
          waiting.shift()?.();
        }
      },
      script: (_request, index) => async (request, response) => {
        started += 1;
        open += 1;
        most = Math.max(most, open);
        if (free > 0) free -= 1;
        else await new Promise<void>((resolve) => waiting.push(resolve));
        open -= 1;
        await behaviourOf(index)(request, response);
      },
    };
  }

  test('no more calls are under way at once than there are slots', async () => {
    const server = watched(() => answersJson(FALLS_ANSWER));
    const { engine } = await engineAgainst(server.script, { maxConcurrentCalls: 3 });
    const runs = Array.from({ length: 9 }, (_, turn) =>
      engine.run(extractFindings, FALLS_INPUT, context({ revision: turn })),
    );
    await untilTrue(() => server.started() === 3);
    for (let done = 1; done <= 9; done += 1) {
      server.let(1);
      await untilTrue(() => server.started() >= Math.min(9, 3 + done));
    }
    await Promise.all(runs);
    expect(server.most()).toBe(3);
  });

  test('a pause that is too long to sit out is handed to whoever retries, and nothing is asked', async () => {
    const { engine, server } = await engineAgainst([refuses(429, {}, { 'retry-after': '300' })]);
    const retryAfterMs = expect.any(Number) as number;
    for (const revision of [0, 1]) {
      const run = engine.run(extractFindings, FALLS_INPUT, context({ revision }));
      await expect(run).rejects.toMatchObject({ kind: 'rate-limited', retryable: true, retryAfterMs });
    }
    expect(server.asked).toHaveLength(1);
  });

  describe('by a clock that the test moves', () => {
    const never = new AbortController().signal;
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    /** Calls that wait for their turn, and how many of them have begun. */
    function callsOn(pace: Pace, count: number): { begun: () => number; ended: Promise<unknown> } {
      let begun = 0;
      const calls = Array.from({ length: count }, () =>
        pace.run(async () => {
          begun += 1;
        }, never),
      );
      return { begun: () => begun, ended: Promise.all(calls) };
    }

    test('a 429 holds all calls back as long as the endpoint says, not the refused one alone', async () => {
      const pace = unsharedPace(8);
      await expect(pace.run(() => Promise.reject(rateLimited(700)), never)).rejects.toThrow(ModelFailure);
      const { begun, ended } = callsOn(pace, 3);
      await vi.advanceTimersByTimeAsync(699);
      expect(begun()).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(begun()).toBe(3);
      await ended;
    });
  });

  function rateLimited(retryAfterMs: number): ModelFailure {
    return new ModelFailure('rate-limited', 'Too many requests.', { retryable: true, retryAfterMs });
  }

  test('a slot is free again after a failure, and a turn that was cancelled takes none', async () => {
    const pace = unsharedPace(1);
    const never = new AbortController().signal;
    await expect(pace.run(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
    let release = (): void => undefined;
    const running = pace.run(() => new Promise<void>((resolve) => (release = resolve)), never);
    const cancelling = new AbortController();
    const cancelled = pace.run(() => Promise.resolve('early'), cancelling.signal);
    const last = pace.run(() => Promise.resolve('last'), never);
    cancelling.abort(new Error('no more'));
    await expect(cancelled).rejects.toThrow('no more');
    release();
    await running;
    await expect(last).resolves.toBe('last');
  });
});

describe('the pace of several processes', () => {
  const ENDPOINT = 'http://models.example/v1';

  const never = new AbortController().signal;

  let dataDir: string;

  let stores: Stores;

  const children: ChildProcess[] = [];

  let server: ModelServer;

  /** How many calls came, how many were there at once, and, where a test answers them itself, what lets them go. */
  let came: number;

  let most: number;

  let held: (() => void)[] | null;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'colligate-pace-'));
    stores = await openStores({ stores: 'lmdb', dataDir });
    [came, most, held] = [0, 0, null];
    let open = 0;
    const counted =
      (then: Behaviour): Behaviour =>
      async (request, response) => {
        came += 1;
        most = Math.max(most, (open += 1));
        await new Promise<void>((answer) => (held === null ? answer() : held.push(answer)));
        open -= 1;
        await then(request, response);
      };
    server = await startModelServer(() => counted(answersJson(FALLS_ANSWER)), {
      embeddings: counted((_request, response) =>
        sendJson(response, 200, { data: [{ index: 0, embedding: [1, 0] }] }),
      ),
    });
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await server.close();
    await stores.close();
    await rm(dataDir, { recursive: true });
  });

  /** Processes that have the stores open and wait for a word to ask everything at once. */
  async function askers(options: Omit<PacedAskerOptions, 'dataDir' | 'baseUrl' | 'runId' | 'firstRevision'>) {
    const started = ['one', 'two'].map((runId, index) => {
      const firstRevision = 100 * index;
      const given: PacedAskerOptions = { dataDir, baseUrl: server.baseUrl, runId, firstRevision, ...options };
      return fork(`${__dirname}/paced-asker.ts`, [JSON.stringify(given)], {
        execArgv: ['--import', 'tsx'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
    });
    children.push(...started);
    const message = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];
    await Promise.all(started.map(message));
    return {
      begin: () => started.forEach((child) => child.send('begin')),
      turns: Promise.all(started.map(message)).then((told) => told.flat().map(String)),
      ended: Promise.all(started.map((child) => once(child, 'exit'))),
    };
  }

  /** A pace as another process has it that shares the stores. */
  function paceOf(settings: Partial<SharedPaceSettings>): Pace {
    const unlimited = { maxSharedCalls: null, requestsPerSecond: null };
    const shared = createSharedPace({ limits: stores.limits, endpoint: ENDPOINT, ...unlimited, ...settings });
    return createPace({ maxConcurrentCalls: 8, shared });
  }

  /** Stores beside the others, by a clock of their own. */
  async function storesBy(now: () => number): Promise<Stores> {
    return openStores({ stores: 'lmdb', dataDir: join(dataDir, 'by-another-clock') }, { now });
  }

  test('no second has more calls of all processes than the setting says, where some are woken late', async () => {
    // A second in which nobody is late behind each of these.
    const clock = createMovingClock(
      [120, 60, 300].flatMap((lateMs) => [lateMs, ...Array<number>(12).fill(0)]),
    );
    const own = await storesBy(() => clock.now());
    const limits = clock.stoppedFor(own.limits);
    const begunAt: number[] = [];
    const call = async (): Promise<void> => void begunAt.push(clock.now());
    const one = paceOf({ requestsPerSecond: 10, limits, clock });
    const two = paceOf({ requestsPerSecond: 10, limits, clock });
    await Promise.all(Array.from({ length: 60 }, (_, at) => (at % 2 ? one : two).run(call, never)));
    await own.close();
    expect(begunAt).toHaveLength(60);
    expect(mostInAnySecond(begunAt)).toBeLessThanOrEqual(10);
  });

  test('two processes share the slots and the turns of their calls and embeddings', async () => {
    const calls = 24;
    const waiting: (() => void)[] = [];
    held = waiting;
    const both = await askers({ calls: 9, embeddings: 3, maxSharedCalls: 3, requestsPerSecond: 40 });
    both.begin();
    for (let left = calls; left > 0; left -= 1) {
      await untilTrue(() => waiting.length >= Math.min(3, left));
      waiting.shift()?.();
    }
    const turns = await both.turns;
    await both.ended;
    expect(came).toBe(calls);
    expect(most).toBe(3);
    // A call that comes too late takes another turn.
    expect(turns.length).toBeGreaterThanOrEqual(calls);
    expect(new Set(turns)).toEqual(new Set([paidEndpoint(server.baseUrl)]));
  });

  describe('by a clock that the test moves, a slot', () => {
    const slotMs = 90;
    let now: number;
    let own: Stores;
    let granted: number;
    let refused: number;
    let limits: SharedLimits;
    beforeEach(async () => {
      [now, granted, refused] = [0, 0, 0];
      own = await storesBy(() => now);
      limits = {
        ...own.limits,
        async acquireSlot(...given) {
          const isGranted = await own.limits.acquireSlot(...given);
          if (isGranted) granted += 1;
          else refused += 1;
          return isGranted;
        },
      };
    });
    afterEach(() => own.close());

    /** Resolves when slots were renewed, and asked for in vain, by the clock as it stands. */
    async function lookedAt(): Promise<void> {
      const [before, inVain] = [granted, refused];
      // The first of each may have been under way.
      await until(
        async () => granted >= before + 2 && refused >= inVain + 2,
        (isSeen) => isSeen,
      );
    }

    test('is held for as long as the call goes on', async () => {
      const holding = paceOf({ maxSharedCalls: 1, slotMs, limits });
      const waiting = paceOf({ maxSharedCalls: 1, slotMs, limits });
      let release = (): void => undefined;
      const running = holding.run(() => new Promise<void>((resolve) => (release = resolve)), never);
      await untilTrue(() => granted > 0);
      let hasBegun = false;
      const next = waiting.run(async () => void (hasBegun = true), never);
      for (let look = 0; look < 4; look += 1) {
        now += slotMs - 1;
        await lookedAt();
      }
      expect(hasBegun).toBe(false);
      release();
      await running;
      await next;
    });

    test('of a killed process is free once it expires', async () => {
      // What a killed process leaves behind: a slot that nobody renews.
      await own.limits.acquireSlot(ENDPOINT, 'killed', { slots: 1, ttlMs: slotMs });
      let hasBegun = false;
      const next = paceOf({ maxSharedCalls: 1, slotMs, limits }).run(
        async () => void (hasBegun = true),
        never,
      );
      await untilTrue(() => refused >= 2);
      expect(hasBegun).toBe(false);
      now += slotMs;
      await next;
    });
  });

  test('a wait for a slot or for a turn ends at once where it is cancelled, and the next in line goes on', async () => {
    for (const limit of [{ maxSharedCalls: 1 }, { requestsPerSecond: 0.5 }]) {
      const pace = paceOf({ ...limit, endpoint: JSON.stringify(limit) });
      const started: (() => void)[] = [];
      const running = pace.run(() => new Promise<void>((resolve) => started.push(resolve)), never);
      await untilTrue(() => started.length > 0);
      const cancelling = new AbortController();
      const cancelled = pace.run(() => Promise.resolve('early'), cancelling.signal);
      const next = pace.run(() => Promise.resolve('next'), never);
      cancelling.abort(new Error('no more'));
      await expect(cancelled).rejects.toThrow('no more');
      started[0]?.();
      await running;
      await expect(next).resolves.toBe('next');
    }
  });

  test('no call is made while the store of the limits is away', async () => {
    const other = await openStores({ stores: 'lmdb', dataDir: join(dataDir, 'other') });
    await other.close();
    for (const limit of [{ maxSharedCalls: 1 }, { requestsPerSecond: 5 }]) {
      let asked = 0;
      const call = paceOf({ ...limit, limits: other.limits }).run(async () => void (asked += 1), never);
      await expect(call).rejects.toMatchObject({ name: 'StoreClosedError' });
      expect(asked).toBe(0);
    }
  });
});
