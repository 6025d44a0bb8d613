import { createPace, type Pace } from '../../../src/engines/model/paid/pace';
import { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
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
      const pace = createPace({ maxConcurrentCalls: 8 });
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
    const pace = createPace({ maxConcurrentCalls: 1 });
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
