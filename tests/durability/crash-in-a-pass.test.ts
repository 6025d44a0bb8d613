import {
  firstStudies,
  NOTES,
  openDurabilityBench,
  type DurabilityBench,
  type Material,
} from './durability-bench';
import type { Hold } from './hold';
import { comparable, keysOf, problemsOfLog } from './run-log';

let bench: DurabilityBench;
beforeAll(async () => {
  bench = await openDurabilityBench();
}, 180_000);
afterAll(() => bench.close());

/** The same collection twice, once left alone. */
interface Pair {
  material: Material;
  disturbed: string;
  undisturbed: string;
}

test('a report outlives its worker killed in pass 2 and in pass 4, and then the server', async () => {
  const studies = await firstStudies(bench.folder, 60);
  const pairs = [NOTES, ...(studies === null ? [] : [studies])].map((material, index): Pair => ({
    material,
    disturbed: `disturbed-${index}`,
    undisturbed: `undisturbed-${index}`,
  }));
  const everyRun = <Result>(work: (pair: Pair) => Promise<Result>): Promise<Result[]> =>
    Promise.all(pairs.map(work));

  const inPass2 = (runId: string): Hold => ({ runId, at: 'asked', step: 'extract-findings' });
  const first = await bench.startHoldingWorker(pairs.map(({ disturbed }) => inPass2(disturbed)));
  await everyRun(({ disturbed, material }) => bench.start(disturbed, material));
  await everyRun(({ disturbed }) => first.holds(inPass2(disturbed)));
  await first.kill();
  await everyRun(async ({ disturbed }) => {
    const held = (await bench.pending(disturbed)).filter(({ pid }) => pid === first.pid);
    expect(held.map(({ type }) => type)).toContain('deepDiveSection');
  });

  const inPass4 = (runId: string): Hold => ({ runId, at: 'streaming', words: 'its own' });
  const second = await bench.startHoldingWorker(pairs.map(({ disturbed }) => inPass4(disturbed)));
  await everyRun(({ disturbed }) => second.holds(inPass4(disturbed)));
  await second.kill();
  await everyRun(async ({ disturbed }) => {
    const held = (await bench.pending(disturbed)).filter(({ pid }) => pid === second.pid);
    expect(held.map(({ type }) => type)).toContain('writeSection');
  });

  await bench.server.kill();
  await bench.server.restart();
  await bench.startWorker();
  await everyRun(({ undisturbed, material }) => bench.start(undisturbed, material));

  for (const { disturbed, undisturbed } of pairs) {
    const record = await bench.finished(disturbed);
    const model = await bench.finished(undisturbed);
    expect(record.markdown).toBe(model.markdown);
    expect(comparable(record)).toEqual(comparable(model));
    expect(record.report.claims.length).toBeGreaterThan(5);
    expect(problemsOfLog(record)).toEqual([]);
    expect(problemsOfLog(model)).toEqual([]);
    expect(keysOf(record)).toEqual(keysOf(model));
    // It lies in the store, and any other process finds it there.
    const shown = await bench.command('show', disturbed).ended;
    expect(shown).toEqual({ code: 0, stdout: `${record.markdown.trimEnd()}\n`, stderr: '' });
    const json = await bench.command('show', disturbed, '--format', 'json').ended;
    expect(JSON.parse(json.stdout)).toEqual(record.report);
  }
}, 240_000);
