import { setTimeout as delay } from 'node:timers/promises';
import { ModelFailure } from '../../../src/engines/model/port';
import {
  type AdaptiveConcurrency,
  createAdaptiveConcurrency,
  createRateLimiter,
  type RateLimiter,
} from '../../../src/engines/model/rate-limiter';
import { extractFindings } from '../../../src/steps/extract-findings';
import { answersJson, refuses } from '../../model-server/behaviours';
import type { Behaviour, Script } from '../../model-server/model-server';
import { untilTrue } from '../../support/until';
import { closeEngines, context, engineAgainst } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';

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

  test('a server that answers one request at a time is asked one at a time once seen, and nothing twice', async () => {
    const SERVES_MS = 700;
    let free = Promise.resolve();
    let open = 0;
    const openAtStart: number[] = [];
    const serially: Script = () => async (request, response) => {
      openAtStart.push((open += 1));
      const mine = free.then(() => delay(SERVES_MS));
      free = mine;
      await mine;
      open -= 1;
      await answersJson(FALLS_ANSWER)(request, response);
    };
    // The last of them waits for longer than any of them may take.
    const limits = { firstByteMs: 3 * SERVES_MS, timeoutMs: 3 * SERVES_MS };
    const { engine, server } = await engineAgainst(serially, { maxConcurrentCalls: 4, ...limits });
    const runs = Array.from({ length: 8 }, (_, revision) =>
      engine.run(extractFindings, FALLS_INPUT, context({ revision })),
    );
    await Promise.all(runs);
    expect(server.asked).toHaveLength(8);
    expect(openAtStart.slice(-2)).toEqual([1, 1]);
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
    function callsOn(pace: RateLimiter, count: number): { begun: () => number; ended: Promise<unknown> } {
      let begun = 0;
      const calls = Array.from({ length: count }, () =>
        pace.run(
          async () => {
            begun += 1;
          },
          never,
          'small',
        ),
      );
      return { begun: () => begun, ended: Promise.all(calls) };
    }

    test('a 429 holds all calls back as long as the endpoint says, not the refused one alone', async () => {
      const pace = createRateLimiter({ maxConcurrentCalls: 8 });
      await expect(pace.run(() => Promise.reject(rateLimited(700)), never, 'small')).rejects.toThrow(
        ModelFailure,
      );
      const { begun, ended } = callsOn(pace, 3);
      await vi.advanceTimersByTimeAsync(699);
      expect(begun()).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(begun()).toBe(3);
      await ended;
    });

    test('a 429 of one model holds no other model back, and a 503 holds all', async () => {
      const pace = createRateLimiter({ maxConcurrentCalls: 8 });
      const ask = (model: string): Promise<string> => pace.run(() => Promise.resolve(model), never, model);
      await expect(pace.run(() => Promise.reject(rateLimited(700)), never, 'small')).rejects.toThrow();
      const small = ask('small');
      await expect(ask('large')).resolves.toBe('large');
      await vi.advanceTimersByTimeAsync(700);
      await expect(small).resolves.toBe('small');
      const busy = new ModelFailure('overloaded', 'Busy.', { retryAfterMs: 500, status: 503 });
      await expect(pace.run(() => Promise.reject(busy), never, 'small')).rejects.toThrow('Busy.');
      let answered = false;
      const large = ask('large').then(() => (answered = true));
      await vi.advanceTimersByTimeAsync(499);
      expect(answered).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await large;
    });

    test('of a limit of hours all hear at once until when it lasts; a minute later it is asked again', async () => {
      const pace = createRateLimiter({ maxConcurrentCalls: 1 });
      const hours = 8 * 3_600_000;
      const spent = new ModelFailure('rate-limited', 'No more.', { retryAfterMs: hours, says: 'Per day.' });
      const refused = (): Promise<never> => Promise.reject(spent);
      const first = pace.run(refused, never, 'small');
      const queued = pace.run(() => Promise.resolve('queued'), never, 'small');
      await expect(first).rejects.toBe(spent);
      await expect(queued).rejects.toMatchObject({ retryable: true, retryAfterMs: hours, says: 'Per day.' });
      await vi.advanceTimersByTimeAsync(59_000);
      const held = pace.run(() => Promise.resolve('early'), never, 'small');
      await expect(held).rejects.toMatchObject({ message: 'No more.', retryAfterMs: hours - 59_000 });
      await vi.advanceTimersByTimeAsync(2_000);
      await expect(pace.run(() => Promise.resolve('paid for'), never, 'small')).resolves.toBe('paid for');
      await expect(pace.run(() => Promise.resolve('and on'), never, 'small')).resolves.toBe('and on');
    });
  });

  function rateLimited(retryAfterMs: number): ModelFailure {
    return new ModelFailure('rate-limited', 'Too many requests.', { retryable: true, retryAfterMs });
  }

  test('a slot is free again after a failure, and a turn that was cancelled takes none', async () => {
    const pace = createRateLimiter({ maxConcurrentCalls: 1 });
    const never = new AbortController().signal;
    await expect(pace.run(() => Promise.reject(new Error('broken')), never, 'small')).rejects.toThrow(
      'broken',
    );
    let release = (): void => undefined;
    const running = pace.run(() => new Promise<void>((resolve) => (release = resolve)), never, 'small');
    const cancelling = new AbortController();
    const cancelled = pace.run(() => Promise.resolve('early'), cancelling.signal, 'small');
    const last = pace.run(() => Promise.resolve('last'), never, 'small');
    cancelling.abort(new Error('no more'));
    await expect(cancelled).rejects.toThrow('no more');
    release();
    await running;
    await expect(last).resolves.toBe('last');
  });
});

describe('how many calls a server answers at once', () => {
  let now = 0;
  let served: AdaptiveConcurrency;
  beforeEach(() => {
    now = 0;
    served = createAdaptiveConcurrency(8, () => now);
  });

  type Call = ReturnType<AdaptiveConcurrency['start']>;
  const start = (count: number): Call[] => Array.from({ length: count }, () => served.start());
  const at = (ms: number, work: () => void): void => {
    now = ms;
    work();
  };
  /** The server answers the calls one by one, each for so long. */
  const answerSingly = (calls: readonly Call[], ms: number): void => {
    for (const call of calls) at(now + ms, () => call.end('answered'));
  };

  test('is one where answers come one after another to calls that came together', () => {
    const calls = start(4);
    answerSingly(calls.slice(0, 2), 2_000);
    expect(served.limit).toBe(8);
    answerSingly(calls.slice(2, 3), 2_000);
    expect(served.limit).toBe(1);
  });

  test('is one too where answers are streamed', () => {
    for (const call of start(4)) {
      at(now + 3_000, () => call.turn.begun());
      at(now + 5_000, () => call.end('answered'));
    }
    expect(served.limit).toBe(1);
  });

  test('is more for good where two answers are streamed at once', () => {
    const [first, second] = start(2);
    at(3_000, () => first?.turn.begun());
    at(4_000, () => second?.turn.begun());
    at(5_000, () => first?.end('answered'));
    at(9_000, () => second?.end('answered'));
    answerSingly(start(6), 6_000);
    expect(served.limit).toBe(8);
  });

  test('is not known of answers that come shortly after each other, quick ones, and of single calls', () => {
    const calls = start(6);
    calls.forEach((call, index) => at(4_000 + 700 * index, () => call.end('answered')));
    answerSingly(start(6), 100);
    for (let count = 0; count < 6; count += 1) answerSingly(start(1), 4_000);
    expect(served.limit).toBe(8);
  });

  test('is one where a gateway gives up on a call while the server is at another', () => {
    const [first, second] = start(2);
    at(50_000, () => first?.end('answered'));
    at(60_000, () => second?.end('gateway-timeout'));
    expect(served.limit).toBe(1);
  });

  describe('of a server that seemed to answer one at a time', () => {
    beforeEach(() => {
      answerSingly(start(3), 2_000);
      for (let count = 0; count < 10; count += 1) answerSingly(start(1), 2_000);
    });

    test('two are tried after some single calls, and one remains where it does', () => {
      expect(served.limit).toBe(2);
      answerSingly(start(2), 2_000);
      expect(served.limit).toBe(1);
    });

    test('all are let in again where two answers come together', () => {
      const both = start(2);
      at(now + 2_000, () => both[0]?.end('answered'));
      at(now + 100, () => both[1]?.end('answered'));
      expect(served.limit).toBe(8);
    });
  });

  test('a call loses no time to those before it in the queue of the server', () => {
    const [first, second] = start(2);
    at(3_000, () => first?.turn.begun());
    at(9_000, () => expect(second?.turn.since).toBe(9_000));
    at(10_000, () => first?.end('answered'));
    at(12_000, () => expect(second?.turn.since).toBe(10_000));
  });

  test('where answers come at once, each call has its own time', () => {
    const [first, second, third] = start(3);
    at(3_000, () => first?.turn.begun());
    at(4_000, () => second?.turn.begun());
    at(10_000, () => first?.end('answered'));
    expect(third?.turn.since).toBe(0);
  });
});
