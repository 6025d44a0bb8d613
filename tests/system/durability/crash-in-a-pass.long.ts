import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hold } from '../../support/kills/hold';
import { openKillBench, type KillBench } from '../../support/kills/kill-bench';
import { NOTES, type Material } from '../../support/kills/material';
import { comparable, keysOf, problemsOfLog } from '../../support/kills/run-record';
import { LONG } from '../../support/long';
import { itWithData, sharedFile } from '../../support/shared-data';

let bench: KillBench;
beforeEach(async () => {
  bench = await openKillBench();
});
afterEach(() => bench.close());

const OUTLIVES = 'outlives its worker killed in pass 2 and in pass 4, and then the server';

test(`a report over the example notes ${OUTLIVES}`, () => outlivesAll(NOTES));

const STUDIES = 'studies/sources.jsonl';

const itLongWithData = LONG ? itWithData : () => undefined;
itLongWithData([STUDIES], `a report over 60 studies ${OUTLIVES}`, async () => {
  const path = join(bench.folder, 'studies.jsonl');
  const lines = (await readFile(sharedFile(STUDIES), 'utf8')).split('\n').slice(0, 60);
  await writeFile(path, lines.join('\n'));
  await outlivesAll({
    question: 'Which lifestyle interventions improve health outcomes, and by how much?',
    paths: [path],
  });
});

async function outlivesAll(material: Material): Promise<void> {
  const inPass2: Hold = { runId: 'disturbed', at: 'asked', step: 'extract-findings' };
  const first = await bench.startHoldingWorker([inPass2]);
  await bench.start('disturbed', material);
  await first.holds(inPass2);
  await first.kill();
  expect(await heldBy(first.pid)).toContain('deepDiveSection');

  const inPass4: Hold = { runId: 'disturbed', at: 'streaming', words: 'its own' };
  const second = await bench.startHoldingWorker([inPass4]);
  await second.holds(inPass4);
  await second.kill();
  expect(await heldBy(second.pid)).toContain('writeSection');

  await bench.server.kill();
  await bench.server.restart();
  await bench.startWorker();
  await bench.start('undisturbed', material);

  const record = await bench.finished('disturbed');
  const model = await bench.finished('undisturbed');
  expect(record.markdown).toBe(model.markdown);
  expect(comparable(record)).toEqual(comparable(model));
  expect(record.report.claims.length).toBeGreaterThan(5);
  expect(problemsOfLog(record)).toEqual([]);
  expect(problemsOfLog(model)).toEqual([]);
  expect(keysOf(record)).toEqual(keysOf(model));
  // It lies in the store, and any other process finds it there.
  const shown = await bench.commandHere('show', 'disturbed').ended;
  expect(shown).toEqual({ code: 0, stdout: `${record.markdown.trimEnd()}\n`, stderr: '' });
  const json = await bench.commandHere('show', 'disturbed', '--format', 'json').ended;
  expect(JSON.parse(json.stdout)).toEqual(record.report);
}

/** What the disturbed run waits for that a process began. */
async function heldBy(process: number): Promise<string[]> {
  return (await bench.pending('disturbed')).filter(({ pid }) => pid === process).map(({ type }) => type);
}
