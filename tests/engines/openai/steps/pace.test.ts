import { ModelFailure } from '../../../../src/engines/openai/model-failure';
import { createPace } from '../../../../src/engines/openai/pace';
import { extractFindings } from '../../../../src/steps/extract-findings';
import { answersJson, refuses } from '../../../model-server/behaviours';
import type { Behaviour, Script } from '../../../model-server/model-server';
import { until } from '../../../support/until';
import { closeEngines, context, engineAgainst } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';

afterEach(closeEngines);

/** Answers, and keeps when each request came and how many were there at once. */
function watched(behaviourOf: (index: number) => Behaviour): {
  script: Script;
  startedAt: number[];
  most: () => number;
  let: (count: number) => void;
} {
  const startedAt: number[] = [];
  const waiting: (() => void)[] = [];
  let open = 0;
  let most = 0;
  let free = 0;
  return {
    startedAt,
    most: () => most,
    let: (count) => {
      free += count;
      while (free > 0 && waiting.length > 0) {
        free -= 1;
        waiting.shift()?.();
      }
    },
    script: (_request, index) => async (request, response) => {
      startedAt.push(performance.now());
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
  const { engine } = await engineAgainst(server.script, {
    paceSettings: { maxConcurrentCalls: 3, requestsPerSecond: null },
  });
  const runs = Array.from({ length: 9 }, (_, turn) =>
    engine.run(extractFindings, FALLS_INPUT, context({ turn })),
  );
  await until(
    async () => server.startedAt.length,
    (started) => started === 3,
  );
  for (let done = 1; done <= 9; done += 1) {
    server.let(1);
    await until(
      async () => server.startedAt.length,
      (started) => started >= Math.min(9, 3 + done),
    );
  }
  await Promise.all(runs);
  expect(server.most()).toBe(3);
});

test('calls begin no faster than the configured rate', async () => {
  const server = watched(() => answersJson(FALLS_ANSWER));
  server.let(100);
  const { engine } = await engineAgainst(server.script, {
    paceSettings: { maxConcurrentCalls: 8, requestsPerSecond: 20 },
  });
  await Promise.all(
    Array.from({ length: 6 }, (_, turn) => engine.run(extractFindings, FALLS_INPUT, context({ turn }))),
  );
  const first = server.startedAt[0] ?? 0;
  // 50 ms between two, less what the first took longer to arrive than the last; without a pace they come at once.
  expect((server.startedAt.at(-1) ?? 0) - first).toBeGreaterThan((5 * 50) / 2);
});

test('a 429 holds all calls back as long as the endpoint says, not the refused one alone', async () => {
  const server = watched((index) =>
    index === 0
      ? refuses(429, { code: 'rate_limit_exceeded' }, { 'retry-after-ms': '700' })
      : answersJson(FALLS_ANSWER),
  );
  server.let(100);
  const { engine } = await engineAgainst(server.script);
  const refused: unknown = await engine
    .run(extractFindings, FALLS_INPUT, context())
    .catch((error: unknown) => error);
  const refusedAt = performance.now();
  expect(refused).toBeInstanceOf(ModelFailure);
  expect(refused).toMatchObject({ kind: 'rate-limited', retryable: true, retryAfterMs: 700 });
  await Promise.all([1, 2, 3].map((turn) => engine.run(extractFindings, FALLS_INPUT, context({ turn }))));
  expect(server.startedAt).toHaveLength(4);
  for (const startedAt of server.startedAt.slice(1)) expect(startedAt - refusedAt).toBeGreaterThan(650);
});

test('a pause that is too long to sit out is handed to whoever retries, with what is left of it', async () => {
  const { engine, server } = await engineAgainst([refuses(429, {}, { 'retry-after': '300' })]);
  await expect(engine.run(extractFindings, FALLS_INPUT, context())).rejects.toMatchObject({
    retryAfterMs: 300_000,
  });
  const since = performance.now();
  const failure: unknown = await engine
    .run(extractFindings, FALLS_INPUT, context({ turn: 1 }))
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'rate-limited', retryable: true });
  expect((failure as ModelFailure).retryAfterMs).toBeGreaterThan(290_000);
  expect(performance.now() - since).toBeLessThan(5_000);
  expect(server.asked).toHaveLength(1);
});

test('a slot is free again after a failure, and a turn that was cancelled takes none', async () => {
  const pace = createPace({ maxConcurrentCalls: 1, requestsPerSecond: null });
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
