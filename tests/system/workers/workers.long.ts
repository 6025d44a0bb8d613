import { connectClient } from '../../../src/temporal/connect';
import { loadConfig } from '../../../src/config/config';
import { forAllTests } from '../../support/for-all-tests';
import { startTestServer, type TestServer } from '../../support/temporal-server';
import { until } from '../../support/until';
import { NOTES, openWorkers, page, samples, total } from './workers-under-test';

let server: TestServer;
const bench = forAllTests(async () => {
  server = await startTestServer();
  return openWorkers(
    (answer) => async (request, response) => {
      const line = held;
      if (line !== null) await new Promise<void>((resolve) => line.push(resolve));
      await answer(request, response);
    },
    server,
  );
});
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

test('workers with a part of the work each make a report together, each with its own', async () => {
  const [runs, computing, models] = await Promise.all([
    bench.worker({}, '--roles', 'runs'),
    bench.worker({ COLLIGATE_WORKER_ROLES: 'computing' }),
    bench.worker({}, '--roles', 'models'),
  ]);
  for (const worker of [runs, computing, models]) await worker.isReadyAs(200);
  expect(await bench.report('in-parts')).toBe(0);
  const queuesOf = async (url: string): Promise<boolean[]> => {
    const { text } = await page(`${url}/metrics`);
    return ['colligate', 'colligate-computing', 'colligate-models'].map(
      (queue) => total(text, 'colligate_activity_queue_seconds_count', `queue="${queue}"`) > 0,
    );
  };
  expect(await queuesOf(runs.healthUrl)).toEqual([true, false, false]);
  expect(await queuesOf(computing.healthUrl)).toEqual([false, true, false]);
  expect(await queuesOf(models.healthUrl)).toEqual([false, false, true]);
  for (const worker of [runs, computing, models]) await worker.stop();
});

test('a run that is begun on a build stays there while new runs go to the next', async () => {
  const { connection, client } = await connectClient({
    ...loadConfig().temporal,
    address: server.address,
  });
  const build = (buildId: string): Record<string, string> => ({
    COLLIGATE_DEPLOYMENT: 'colligate',
    COLLIGATE_BUILD_ID: buildId,
  });
  const makeCurrent = (buildId: string): Promise<unknown> =>
    until(
      () =>
        connection.workflowService
          .setWorkerDeploymentCurrentVersion({ namespace: 'default', deploymentName: 'colligate', buildId })
          .then(() => 'set', String),
      (answer) => answer === 'set',
    );
  const buildsOf = async (runId: string): Promise<Set<string>> => {
    const { events } = await client.workflow.getHandle(runId).fetchHistory();
    return new Set(
      (events ?? []).flatMap(
        ({ workflowTaskCompletedEventAttributes: completed }) => completed?.deploymentVersion?.buildId ?? [],
      ),
    );
  };
  try {
    const old = await bench.worker(build('A'));
    await makeCurrent('A');
    const ok = async (...args: string[]): Promise<void> =>
      expect(await bench.command(args).ended).toMatchObject({ code: 0 });
    const asked = ['Does vitamin D prevent falls?', '--sources', NOTES, '--json'];
    // It stands still until it is resumed, which is after the next build is there.
    await ok('report', ...asked, '--id', 'old', '--detach');
    await ok('pause', 'old');
    const next = await bench.worker(build('B'));
    await makeCurrent('B');
    await ok('report', ...asked, '--id', 'new');
    await ok('resume', 'old');
    await client.workflow.getHandle('old').result();
    expect(await buildsOf('old')).toEqual(new Set(['A']));
    expect(await buildsOf('new')).toEqual(new Set(['B']));
    for (const worker of [old, next]) await worker.stop();
  } finally {
    await connection.close();
  }
});

test('a worker whose server is away lives, is not ready, and says why', async () => {
  const worker = await bench.worker();
  await worker.isReadyAs(200);
  await server.kill();
  const text = await worker.isReadyAs(503);
  expect(text).toMatch(/Temporal server does not answer/);
  expect((await page(`${worker.healthUrl}/healthz`)).status).toBe(200);
  // How many runs are under way is not known then, which is something else than none.
  await until(
    async () => samples((await page(`${worker.healthUrl}/metrics`)).text, 'colligate_active_runs').size,
    (told) => told === 0,
  );
  await server.restart();
  await worker.isReadyAs(200);
  await worker.stop();
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
