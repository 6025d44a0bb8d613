import { connectClient } from '../../../src/temporal/connect';
import { loadConfig } from '../../../src/config/config';
import { forAllTests } from '../../support/for-all-tests';
import { until } from '../../support/until';
import { NOTES, openWorkers, page, total } from './workers-under-test';

const bench = forAllTests(openWorkers);

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

const NO_MODELS = { OPENAI_BASE_URL: '', COLLIGATE_MODEL_FAST: '', COLLIGATE_MODEL_STRONG: '' };
test.each([
  ['to ask models alone, and has none', 'models', NO_MODELS, /no endpoint with models is configured/],
  ['to have a role that there is not', 'writing', {}, /--roles.*runs, computing, models/s],
])('a worker that is %s is refused, with what there is', async (_what, role, env, message) => {
  const { code, stderr } = await bench.command(['worker', '--roles', role], env).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
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
