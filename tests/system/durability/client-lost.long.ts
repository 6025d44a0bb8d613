import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RunClosedError, type ColligateClient } from '../../../src/client';
import type { Hold } from '../../support/kills/hold';
import { openKillBench, type HoldingWorker, type KillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { problemsOfLog } from '../../support/kills/run-record';
import { until } from '../../support/until';

const LEFT: Hold = { runId: 'left', at: 'asked', step: 'outline' };
const OVERTAKEN: Hold = { runId: 'overtaken', at: 'asked', step: 'outline' };

let bench: KillBench;
let worker: HoldingWorker;
beforeAll(async () => {
  bench = await openKillBench();
  worker = await bench.startHoldingWorker([LEFT, OVERTAKEN]);
});
afterAll(() => bench.close());

const report = (id: string): string[] => ['report', NOTES.question, '--sources', ...NOTES.paths, '--id', id];

test('a killed client loses nothing: the run goes on, and the same id follows it to its end', async () => {
  const killed = bench.command(...report('left'));
  await worker.holds(LEFT);
  await killed.kill();

  const attached = bench.command(...report('left'));
  await attached.said(/running already/);
  worker.letGo();
  const result = await attached.ended;
  expect(result.code).toBe(0);
  const record = await bench.finished('left');
  expect(await readFile(join(bench.folder, 'reports/left/report.md'), 'utf8')).toBe(record.markdown);
  expect(problemsOfLog(record)).toEqual([]);
  expect(await bench.executions('left')).toEqual(['COMPLETED']);
});

test('the same id started twice at once is one run', async () => {
  const results = await Promise.all([
    bench.command(...report('twin')).ended,
    bench.command(...report('twin')).ended,
  ]);
  // One of them may have come when the run had ended already, and is told so.
  const codes = results.map(({ code }) => code).sort();
  expect([
    [0, 0],
    [0, 2],
  ]).toContainEqual(codes);
  for (const { stderr, code } of results) if (code === 2) expect(stderr).toMatch(/has ended already/);
  const record = await bench.finished('twin');
  expect(problemsOfLog(record)).toEqual([]);
  await until(
    () => bench.executions('twin'),
    (statuses) => statuses.includes('COMPLETED'),
  );
  expect(await bench.executions('twin')).toEqual(['COMPLETED']);
});

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
  const client = bench.clientOn({
    ...content,
    store: (...given) => wait().then(() => content.store(...given)),
    storeBatch: (...given) => wait().then(() => content.storeBatch(...given)),
  });
  return { client, hesitates, goOn };
}

test('who was about to start an id joins the run that somebody else has started meanwhile', async () => {
  const { client, hesitates, goOn } = hesitantClient();
  const late = client.startReport(bench.request('overtaken', NOTES));
  await hesitates;
  await bench.start('overtaken', NOTES);
  await worker.holds(OVERTAKEN);
  goOn();
  expect(await late).toMatchObject({ attached: true, sources: null });
  worker.letGo();
  expect(problemsOfLog(await bench.finished('overtaken'))).toEqual([]);
});

test('who was about to start an id is refused where its run has ended meanwhile', async () => {
  const { client, hesitates, goOn } = hesitantClient();
  const late = client.startReport(bench.request('outrun', NOTES));
  await hesitates;
  await bench.start('outrun', NOTES);
  const record = await bench.finished('outrun');
  goOn();
  await expect(late).rejects.toThrow(RunClosedError);
  expect(await bench.finished('outrun')).toEqual(record);
});
