import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createColligateClient } from '../../src/client';
import { NOTES, openDurabilityBench, type DurabilityBench } from './durability-bench';
import { until } from '../support/until';
import type { Hold } from './hold';
import { comparable, keysOf, problemsOfLog } from './run-log';

let bench: DurabilityBench;
beforeAll(async () => {
  bench = await openDurabilityBench();
}, 180_000);
afterAll(() => bench.close());

const report = (id: string): string[] => ['report', NOTES.question, '--sources', ...NOTES.paths, '--id', id];

test('a killed client loses nothing: the run goes on, and the same id follows it to its end', async () => {
  const hold: Hold = { runId: 'left', at: 'asked', step: 'outline' };
  const worker = await bench.startHoldingWorker([hold]);
  const killed = bench.command(...report('left'));
  await worker.holds(hold);
  killed.child.kill('SIGKILL');
  await killed.ended;

  const attached = bench.command(...report('left'));
  await attached.said(/running already/);
  worker.signal('SIGUSR2');
  const result = await attached.ended;
  expect(result.code).toBe(0);
  const record = await bench.finished('left');
  expect(await readFile(join(bench.folder, 'reports/left/report.md'), 'utf8')).toBe(record.markdown);
  expect(problemsOfLog(record)).toEqual([]);
  expect(await bench.executions('left')).toEqual(['COMPLETED']);
  await worker.kill();
}, 120_000);

test('the same id started twice at once is one run', async () => {
  const worker = await bench.startWorker();
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
  await worker.kill();
}, 120_000);
