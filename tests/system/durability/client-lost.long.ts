import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hold } from '../../support/kills/hold';
import { type HoldingWorker, type KillBench, openKillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { problemsOfLog } from '../../support/kills/run-record';

const LEFT: Hold = { runId: 'left', at: 'asked', step: 'outline' };

let bench: KillBench;
let worker: HoldingWorker;
beforeAll(async () => {
  bench = await openKillBench();
  worker = await bench.startHoldingWorker([LEFT]);
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
