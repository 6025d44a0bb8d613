import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { getFailureNotes, StepFailedError } from '../../../src/engines/engine';
import { acquireCallLease } from '../../../src/engines/model/paid-calls';
import { ModelFailure } from '../../../src/engines/model/port';
import {
  callCacheKey,
  createRateLimiter,
  endpointWithoutSecrets,
} from '../../../src/engines/model/rate-limiter';
import { extractFindings } from '../../../src/steps/extract-findings';
import type { ResponseCache } from '../../../src/stores/stores';
import { answers, answersEach, answersJson, hangs, refuses } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { untilTrue } from '../../support/until';
import { closeEngines, context, engineAgainst, runAgainst } from './engine-under-test';
import { extractInput, FALLS_ANSWER, FALLS_INPUT } from './material';

afterEach(closeEngines);

describe('paid calls', () => {
  /** Another process that asks the same. */
  const forkAsker = (dataDir: string, baseUrl: string, leaseMs: number): ChildProcess =>
    fork(`${__dirname}/ask-writer.ts`, [dataDir, baseUrl, String(leaseMs)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });

  /** Answers once it is let go. */
  function heldBack(answer: Behaviour): { behaviour: Behaviour; release: () => void } {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    return {
      behaviour: async (request, response) => {
        await released;
        await answer(request, response);
      },
      release: () => release(),
    };
  }

  test('a second run asks nothing, and counts nothing as spent', async () => {
    const { engine, another, server } = await engineAgainst(answersEach(FALLS_ANSWER));
    const first = await engine.run(extractFindings, FALLS_INPUT, context());
    const second = await another().run(extractFindings, FALLS_INPUT, context({ runId: 'run-2' }));
    expect(second.output).toEqual(first.output);
    expect(second.usage).toEqual({ calls: 0, cachedCalls: 1, inputTokens: 0, outputTokens: 0, costUsd: 0 });
    expect(server.asked).toHaveLength(1);
  });

  test('a call paid by an earlier attempt counts for the run and is not repeated', async () => {
    const { engine, another } = await engineAgainst(answersEach(FALLS_ANSWER));
    await engine.run(extractFindings, FALLS_INPUT, context());
    const { usage } = await another().run(extractFindings, FALLS_INPUT, context());
    expect(usage).toMatchObject({
      calls: 0,
      cachedCalls: 1,
      inputTokens: 11,
      outputTokens: 7,
      costUsd: 0.00025,
    });
  });

  test('another revision asks anew, and is kept apart; another turn takes what was answered well', async () => {
    const { engine, server } = await engineAgainst(answersEach(FALLS_ANSWER, FALLS_ANSWER));
    for (const asked of [{}, { turn: 1 }, { revision: 1 }, { revision: 1, turn: 1 }, {}]) {
      await engine.run(extractFindings, FALLS_INPUT, context(asked));
    }
    expect(server.asked).toHaveLength(2);
  });

  test('a bad answer is kept before anything is made of it: the same attempt again pays nothing', async () => {
    const { engine, server } = await engineAgainst([answers('no JSON'), answers('no JSON again')]);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const run = engine.run(extractFindings, FALLS_INPUT, context());
      const failure: unknown = await run.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StepFailedError);
      expect(getFailureNotes(failure)?.spent).toMatchObject({ inputTokens: 22, outputTokens: 14 });
    }
    expect(server.asked).toHaveLength(2);
  });

  test('eight simultaneous identical calls are one call, and are paid once', async () => {
    const held = heldBack(answersJson(FALLS_ANSWER));
    const { another, server } = await engineAgainst([held.behaviour]);
    const runs = ['run-1', 'run-2', 'run-1', 'run-3', 'run-1', 'run-4', 'run-1', 'run-5'].map((runId) =>
      another().run(extractFindings, FALLS_INPUT, context({ runId })),
    );
    await untilTrue(() => server.asked.length === 1);
    held.release();
    const results = await Promise.all(runs);
    expect(server.asked).toHaveLength(1);
    expect(new Set(results.map(({ output }) => JSON.stringify(output))).size).toBe(1);
    const sum = (key: 'calls' | 'cachedCalls' | 'inputTokens'): number =>
      results.reduce((total, { usage }) => total + usage[key], 0);
    expect([sum('calls'), sum('cachedCalls'), sum('inputTokens')]).toEqual([1, 7, 11]);
  });

  test('after a process died while it asked, another asks as soon as the lease has run out', async () => {
    const script = [hangs(), answersJson(FALLS_ANSWER)];
    const { engine, server, dataDir } = await engineAgainst(script, { leaseMs: 600 });
    const child = forkAsker(dataDir, server.baseUrl, 600);
    await untilTrue(() => server.asked.length === 1);
    const waiting = engine.run(extractFindings, FALLS_INPUT, context());
    const died = once(child, 'exit');
    child.kill('SIGKILL');
    await died;
    await expect(waiting).resolves.toMatchObject({ usage: { calls: 1, cachedCalls: 0 } });
    expect(server.asked).toHaveLength(2);
  });

  test('a call that fails gives its lease back at once, and its failure is not kept', async () => {
    const script = [refuses(503), answersJson(FALLS_ANSWER)];
    const { engine, server } = await engineAgainst(script, { leaseMs: 60_000 });
    await expect(engine.run(extractFindings, FALLS_INPUT, context())).rejects.toThrow(ModelFailure);
    const { usage } = await engine.run(extractFindings, FALLS_INPUT, context());
    expect(usage).toMatchObject({ calls: 1, cachedCalls: 0 });
    expect(server.asked).toHaveLength(2);
  });

  test('a cancelled call ends with the signal’s own reason, whether it asks, waits for another, or for its turn', async () => {
    const { another, server } = await engineAgainst(() => hangs());
    const pace = createRateLimiter({ maxConcurrentCalls: 1 });
    const reason = new Error('cancelled by hand');
    const cancelling = new AbortController();
    const signal = cancelling.signal;
    const asking = another({ pace }).run(extractFindings, FALLS_INPUT, context({ signal }));
    await untilTrue(() => server.asked.length === 1);
    const others = [
      another({ pace }).run(extractFindings, FALLS_INPUT, context({ signal })),
      another({ pace }).run(extractFindings, extractInput(['study-a']), context({ signal })),
    ];
    const failures = [asking, ...others].map((run) => run.catch((error: unknown) => error));
    cancelling.abort(reason);
    expect(await Promise.all(failures)).toEqual([reason, reason, reason]);
    expect(server.asked).toHaveLength(1);
  });

  test('the cost is that of the table; a model that it does not have costs nothing, and one warning says so', async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 100_000 };
    const priceless = answersEach({ findings: [] }, FALLS_ANSWER);
    const { another } = await engineAgainst([answersJson(FALLS_ANSWER, { usage }), ...priceless]);
    const priced = await another().run(extractFindings, FALLS_INPUT, context());
    expect(priced.usage.costUsd).toBeCloseTo(12, 9);
    const unpriced = await another({ prices: {} }).run(
      extractFindings,
      FALLS_INPUT,
      context({ revision: 1 }),
    );
    expect(unpriced.usage).toMatchObject({ calls: 2, costUsd: 0 });
    expect(unpriced.ofRun).toEqual([{ code: 'price-unknown', message: expect.stringContaining('large') }]);
  });

  test('tokens are estimated if the server sends no usage', async () => {
    const { usage } = await runAgainst(extractFindings, FALLS_INPUT, [
      answersJson(FALLS_ANSWER, { usage: null }),
    ]);
    expect(usage.inputTokens).toBeGreaterThan(500);
    expect(usage.outputTokens).toBeGreaterThan(JSON.stringify(FALLS_ANSWER).length / 5);
  });

  test('the key has everything that affects the answer in it, and the order of properties makes no difference', () => {
    const message = { role: 'user' as const, content: 'a' };
    const schema = { name: 's', schema: { a: 1, b: 2 } };
    const call = {
      endpoint: 'https://host/v1',
      request: { model: 'm', messages: [message], temperature: 0, maxOutputTokens: 5, schema },
      rung: 'json-schema' as const,
      turn: 0,
      revision: 0,
    };
    const { request } = call;
    const same = { ...call, request: { ...request, schema: { schema: { b: 2, a: 1 }, name: 's' } } };
    expect(callCacheKey(same)).toBe(callCacheKey(call));
    // What a model’s window leaves for an answer is learned while runs go on.
    expect(callCacheKey({ ...call, request: { ...request, maxOutputTokens: 6 } })).toBe(callCacheKey(call));
    const others = [
      { ...call, endpoint: 'https://other/v1' },
      { ...call, rung: 'json-object' as const },
      { ...call, turn: 1 },
      { ...call, revision: 1 },
      ...[
        { model: 'n' },
        { temperature: 1 },
        { messages: [{ role: 'system' as const, content: 'a' }] },
        { schema: { name: 's', schema: { a: 1, b: 3 } } },
      ].map((change) => ({ ...call, request: { ...request, ...change } })),
    ];
    expect(new Set([call, ...others].map(callCacheKey)).size).toBe(others.length + 1);
    expect(endpointWithoutSecrets('https://user:password@host/v1/?key=secret#x')).toBe('https://host/v1');
  });
});

describe('leases of calls', () => {
  beforeEach(() => void vi.useFakeTimers());

  afterEach(() => void vi.useRealTimers());

  /** The leases of a store, by a clock that the test moves. */
  function leases(): Pick<ResponseCache, 'acquireLease' | 'releaseLease'> {
    const held = new Map<string, { owner: string; until: number }>();
    return {
      async acquireLease(key, owner, ttlMs) {
        const holder = held.get(key);
        if (holder !== undefined && holder.owner !== owner && holder.until > Date.now()) return false;
        held.set(key, { owner, until: Date.now() + ttlMs });
        return true;
      },
      async releaseLease(key, owner) {
        if (held.get(key)?.owner === owner) held.delete(key);
      },
    };
  }

  test('a call that takes longer than its lease keeps it, until it gives it back', async () => {
    const store = leases();
    const lease = await acquireCallLease(store, 'key', 'one', 150);
    for (let look = 0; look < 20; look += 1) {
      await vi.advanceTimersByTimeAsync(40);
      expect(await acquireCallLease(store, 'key', 'other', 150)).toBeNull();
    }
    await lease?.release();
    expect(await acquireCallLease(store, 'key', 'other', 150)).not.toBeNull();
  });
});
