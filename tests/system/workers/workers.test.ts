import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../support/until';
import { openWorkers, page, samples, total, type WorkersUnderTest } from './workers-under-test';

let bench: WorkersUnderTest;
/** What was asked is answered when it is let go; null lets everything go at once. */
let held: (() => void)[] | null = null;

// For each try of a test: what a failed one asked and began is not found by the next.
beforeEach(async () => {
  held = null;
  bench = await openWorkers((answer) => async (request, response) => {
    const line = held;
    if (line !== null) await new Promise<void>((resolve) => line.push(resolve));
    await answer(request, response);
  });
});
afterEach(() => bench.close());

function letGo(): void {
  const waiting = held ?? [];
  held = null;
  for (const go of waiting) go();
}

async function somethingIsHeld(): Promise<void> {
  await until(
    async () => held?.length ?? 0,
    (asked) => asked > 0,
  );
}

const bodies = (): string[] => bench.model.asked.map(({ body }) => JSON.stringify(body));

test('a worker tells that it lives and is ready, and counts what a run took of it', async () => {
  const worker = await bench.worker();
  await worker.isReadyAs(200);
  expect(await page(`${worker.healthUrl}/healthz`)).toMatchObject({ status: 200 });
  expect(await bench.report('counted')).toBe(0);
  const { status, text } = await page(`${worker.healthUrl}/metrics`);
  expect(status).toBe(200);
  const asked = bench.model.asked.length;
  expect(asked).toBeGreaterThan(5);
  expect(total(text, 'colligate_model_calls_total', 'outcome="answered"')).toBe(asked);
  expect(total(text, 'colligate_response_cache_requests_total', 'outcome="miss"')).toBe(asked);
  expect(total(text, 'colligate_model_call_duration_seconds_count')).toBe(asked);
  expect(total(text, 'colligate_model_tokens_total', 'direction="input"')).toBeGreaterThan(1_000);
  for (const queue of ['colligate', 'colligate-computing', 'colligate-models'])
    expect(total(text, 'colligate_activity_queue_seconds_count', `queue="${queue}"`)).toBeGreaterThan(0);
  expect(total(text, 'colligate_step_duration_seconds_count', 'step="outline"')).toBeGreaterThan(0);
  expect(total(text, 'colligate_activity_duration_seconds_count', 'outcome="completed"')).toBeGreaterThan(10);
  expect(total(text, 'colligate_activities_in_progress')).toBe(0);
  expect(samples(text, 'colligate_active_runs').size).toBe(1);
  expect(total(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  // Figures name no run and carry no text.
  expect(text).not.toMatch(/counted|vitamin/i);
  // Whoever asks the same again is answered from what is kept.
  expect(await bench.report('again')).toBe(0);
  const after = (await page(`${worker.healthUrl}/metrics`)).text;
  expect(bench.model.asked).toHaveLength(asked);
  expect(total(after, 'colligate_response_cache_requests_total', 'outcome="hit"')).toBe(asked);
  expect(total(after, 'colligate_model_tokens_total')).toBe(total(text, 'colligate_model_tokens_total'));
  await worker.stop();
});

test('what is asked when a worker is told to stop is answered to it, and the next asks nothing again', async () => {
  held = [];
  const first = await bench.worker({ COLLIGATE_SHUTDOWN_GRACE_MS: '60000' });
  const report = bench.report('within-the-grace');
  await somethingIsHeld();
  first.child.kill('SIGTERM');
  const text = await first.isReadyAs(503);
  expect(text).toMatch(/is stopping/);
  expect((await page(`${first.healthUrl}/healthz`)).status).toBe(200);
  const second = await bench.worker();
  letGo();
  expect((await first.ended).code).toBe(0);
  expect(await report).toBe(0);
  const given = bodies();
  expect(given.length).toBeGreaterThan(0);
  expect(new Set(given).size).toBe(given.length);
  await second.stop();
});

test('a port that another process has is refused in plain words', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an object.
  const { port } = other.address() as AddressInfo;
  try {
    const worker = bench.command(['worker'], { COLLIGATE_WORKER_HTTP_PORT: `${port}` });
    const { code, stderr } = await worker.ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`port ${port} of 127.0.0.1: another process has it`);
    expect(stderr).not.toMatch(/ at .*\.js:/);
  } finally {
    await new Promise<void>((resolve) => other.close(() => resolve()));
  }
});

const NO_MODELS = { OPENAI_BASE_URL: '', COLLIGATE_MODEL_FAST: '', COLLIGATE_MODEL_STRONG: '' };
test.each([
  ['to ask models alone, and has none', 'models', NO_MODELS, /no endpoint with models is configured/],
  ['to have a role that there is not', 'writing', {}, /--roles.*runs, computing, models/s],
])('a worker that is %s is refused, with what there is', async (_what, role, env, message) => {
  const { code, stderr } = await bench.command(['worker', '--roles', role], env).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
