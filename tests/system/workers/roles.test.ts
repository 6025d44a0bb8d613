import { connectClient } from '../../../src/temporal/connect';
import { loadConfig } from '../../../src/config/config';
import { until } from '../../support/until';
import { NOTES, openWorkers, page, total, type WorkersUnderTest } from './workers-under-test';

let bench: WorkersUnderTest;
beforeAll(async () => {
  bench = await openWorkers();
});
afterAll(() => bench.close());

test('workers with a part of the work each make a report together, each with its own', async () => {
  const [runs, computing, models] = await Promise.all([
    bench.worker({}, '--roles', 'runs'),
    bench.worker({ COLLIGATE_WORKER_ROLES: 'computing' }),
    bench.worker({}, '--roles', 'models'),
  ]);
  for (const { healthUrl } of [runs, computing, models])
    await until(
      async () => page(`${healthUrl}/readyz`),
      ({ status }) => status === 200,
    );
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
  for (const { child, ended } of [runs, computing, models]) {
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }
});

test('a worker that is to ask models alone, and has none, says so', async () => {
  const env = { OPENAI_BASE_URL: '', COLLIGATE_MODEL_FAST: '', COLLIGATE_MODEL_STRONG: '' };
  const { code, stderr } = await bench.command(['worker', '--roles', 'models'], env).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/no endpoint with models is configured/);
});

test('a role that there is not is refused with those that there are', async () => {
  const { code, stderr } = await bench.command(['worker', '--roles', 'writing']).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/--roles.*runs, computing, models/s);
});

test('a run that is begun on a build stays there while new runs go to the next', async () => {
  const { connection, client } = await connectClient({
    ...loadConfig().temporal,
    address: bench.server.address,
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
    // It stands still until it is resumed, which is after the next build is there.
    expect(
      await bench.command([
        'report',
        'Does vitamin D prevent falls?',
        '--sources',
        NOTES,
        '--id',
        'old',
        '--detach',
        '--json',
      ]).ended,
    ).toMatchObject({ code: 0 });
    expect(await bench.command(['pause', 'old']).ended).toMatchObject({ code: 0 });
    const next = await bench.worker(build('B'));
    await makeCurrent('B');
    expect(
      await bench.command([
        'report',
        'Does vitamin D prevent fractures?',
        '--sources',
        NOTES,
        '--id',
        'new',
        '--json',
      ]).ended,
    ).toMatchObject({ code: 0 });
    expect(await bench.command(['resume', 'old']).ended).toMatchObject({ code: 0 });
    await client.workflow.getHandle('old').result();
    expect(await buildsOf('old')).toEqual(new Set(['A']));
    expect(await buildsOf('new')).toEqual(new Set(['B']));
    for (const { child, ended } of [old, next]) {
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    }
  } finally {
    await connection.close();
  }
});
