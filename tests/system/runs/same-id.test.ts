import { type ColligateClient, RunClosedError } from '../../../src/client';
import { ended } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { problemsOfLog } from '../../support/kills/run-record';
import { executionStatuses } from '../../support/pending-activities';
import { openScriptedBench } from '../../support/run-bench';

// Clients that start a run under an id which another client uses.

const bench = forAllTests(openScriptedBench);

async function expectOneRun(runId: string): Promise<void> {
  const { run, status, report, markdown } = await ended(bench.colligate.run(runId));
  expect(status).toBe('completed');
  expect(problemsOfLog({ report, markdown, events: await bench.eventsOf(run.runId) })).toEqual([]);
  expect(new Set(await executionStatuses(bench.client, runId)).size).toBeLessThanOrEqual(1);
}

/** A client that stops before it stores sources, when it has looked for runs of the id already. */
function hesitantClient(): { client: ColligateClient; hesitates: Promise<void>; goOn: () => void } {
  const { content } = bench.stores;
  let hesitate = (): void => undefined;
  let goOn = (): void => undefined;
  const hesitates = new Promise<void>((resolve) => (hesitate = resolve));
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  const wait = async (): Promise<void> => {
    hesitate();
    await mayGoOn;
  };
  const client = bench.colligateOn({
    ...bench.stores,
    content: {
      ...content,
      store: (...given) => wait().then(() => content.store(...given)),
      storeBatch: (...given) => wait().then(() => content.storeBatch(...given)),
    },
  });
  return { client, hesitates, goOn };
}

test('a client joins the run that another client has started meanwhile', async () => {
  const hold = bench.play().hold('outline');
  const { client, hesitates, goOn } = hesitantClient();
  const late = client.startReport(bench.request({ runId: 'overtaken' }));
  await hesitates;
  await bench.report('overtaken');
  await hold.reached;
  goOn();
  expect(await late).toMatchObject({ attached: true, sources: null });
  hold.release();
  await expectOneRun('overtaken');
});

test('a client is refused where the run has ended meanwhile', async () => {
  bench.play();
  const { client, hesitates, goOn } = hesitantClient();
  const late = client.startReport(bench.request({ runId: 'outrun' }));
  await hesitates;
  const { markdown } = await ended(bench.report('outrun'));
  goOn();
  await expect(late).rejects.toThrow(RunClosedError);
  expect((await bench.colligate.run('outrun').report())?.markdown).toBe(markdown);
});
