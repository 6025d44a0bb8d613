import type { SpawnedCommand } from '../../cli/command-line-under-test';
import type { Hold } from '../../support/kills/hold';
import { type KillBench, openKillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { comparable, keysOf, problemsOfLog, type RunRecord } from '../../support/kills/run-record';
import { until } from '../../support/until';

/** What goes on in each run when the worker that does it is killed, and another one has to take over. */
const POINTS: [point: string, activity: string, hold: Hold][] = [
  ['the run begins', 'recordEvents', { runId: 'begins', at: 'recorded', event: 'run-started' }],
  ['sources are summarised', 'summariseBatch', { runId: 'gathers', at: 'asked', step: 'summarise' }],
  ['the outline is planned', 'planOutline', { runId: 'plans', at: 'asked', step: 'outline' }],
  ['sources are scored', 'scoreSources', { runId: 'scores', at: 'asked', step: 'score-relevance' }],
  [
    'the outline is stored',
    'settleOutline',
    { runId: 'planned', at: 'recorded', event: 'outline-generated' },
  ],
  ['findings are stored', 'deepDiveSection', { runId: 'found', at: 'recorded', event: 'deep-dive-section' }],
  ['findings are checked', 'crossCheckSection', { runId: 'checks', at: 'asked', step: 'cross-check' }],
  [
    'a conflict is told',
    'crossCheckSection',
    { runId: 'differs', at: 'recorded', event: 'conflict-detected' },
  ],
  ['a text is half told', 'writeSection', { runId: 'half', at: 'streaming', words: 'its own' }],
  ['a text is told in other words', 'writeSection', { runId: 'other', at: 'streaming', words: 'other' }],
  ['the summary is to be written', 'writeSummary', { runId: 'opens', at: 'asked', step: 'write-summary' }],
  ['the report is stored', 'assembleReport', { runId: 'ends', at: 'recorded', event: 'run-completed' }],
];
const PAUSED: Hold = { runId: 'paused', at: 'asked', step: 'outline' };

let bench: KillBench;
let model: RunRecord;
let survivor: SpawnedCommand;

beforeAll(async () => {
  bench = await openKillBench();
  const holds = [...POINTS.map(([, , hold]) => hold), PAUSED];
  const first = await bench.startHoldingWorker(holds);
  const runs = await Promise.all(holds.map(({ runId }) => bench.start(runId, NOTES)));
  await bench.start('undisturbed', NOTES);
  await Promise.all(holds.map((hold) => first.holds(hold)));
  await runs.at(-1)?.pause();
  model = await bench.finished('undisturbed');
  survivor = await bench.startWorker();
  await first.kill();
  for (const [, activity, { runId }] of POINTS) {
    expect(await bench.pending(runId)).toMatchObject([{ type: activity, pid: first.pid }]);
  }
});
afterAll(() => bench.close());

test.each(POINTS)('a worker killed while %s costs nothing', async (_point, _activity, { runId }) => {
  const record = await bench.finished(runId);
  expect(comparable(record)).toEqual(comparable(model));
  expect(problemsOfLog(record)).toEqual([]);
  expect(keysOf(record)).toEqual(keysOf(model));
  const restarts = record.events.filter((event) => event.type === 'section-restarted');
  expect(restarts).toHaveLength(runId === 'other' ? 1 : 0);
});

test('a run that stands paused between passes outlives worker and server', async () => {
  const run = bench.colligate.run('paused');
  await until(
    () => run.progress(),
    ({ status }) => status === 'paused',
  );
  expect(await bench.pending('paused')).toEqual([]);
  await survivor.kill();
  await bench.server.restart();
  expect((await run.progress()).toldBy).toBe('records');
  await bench.startWorker();
  await run.resume();
  const record = await bench.finished('paused');
  expect(comparable(record)).toEqual(comparable(model));
  expect(problemsOfLog(record)).toEqual([]);
});
