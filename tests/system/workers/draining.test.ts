import { forAllTests } from '../../support/for-all-tests';
import { until } from '../../support/until';
import { openWorkers, page } from './workers-under-test';

const bench = forAllTests(() =>
  openWorkers((answer) => async (request, response) => {
    const line = held;
    if (line !== null) await new Promise<void>((resolve) => line.push(resolve));
    await answer(request, response);
  }),
);
/** What was asked is answered when it is let go; null lets everything go at once. */
let held: (() => void)[] | null = null;

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
  expect(new Set(bodies()).size).toBe(bodies().length);
  await second.stop();
});

test('what is not answered within the grace time is handed over at once', async () => {
  const before = bodies().length;
  held = [];
  const first = await bench.worker({ COLLIGATE_SHUTDOWN_GRACE_MS: '300' });
  const report = bench.report('after-the-grace', '--words', '700');
  await somethingIsHeld();
  await first.stop();
  const given = bodies().slice(before);
  const second = await bench.worker();
  letGo();
  expect(await report).toBe(0);
  const asked = bodies().slice(before);
  // Only what was under way is asked again.
  const twice = asked.filter((body, at) => asked.indexOf(body) !== at);
  expect(twice.filter((body) => !given.includes(body))).toEqual([]);
  await second.stop();
});

test('a second signal ends it at once', async () => {
  held = [];
  const worker = await bench.worker({ COLLIGATE_SHUTDOWN_GRACE_MS: '600000' });
  void bench.report('left', '--words', '900');
  await somethingIsHeld();
  worker.child.kill('SIGTERM');
  await worker.isReadyAs(503);
  const presses = setInterval(() => worker.child.kill('SIGTERM'), 200);
  const { code } = await worker.ended;
  clearInterval(presses);
  expect(code).toBe(130);
  letGo();
});
