import type { Firing, ScheduleHandle } from '../../../src/client';
import { scheduledRunId } from '../../../src/contracts/schedule';
import type { SpawnedCommand } from '../../cli/command-line-under-test';
import type { Hold } from '../../support/kills/hold';
import {
  type HoldingWorker,
  type KillBench,
  openKillBench,
  SHORT_HEARTBEATS,
} from '../../support/kills/kill-bench';
import { comparable, keysOf, problemsOfLog, type RunRecord } from '../../support/kills/run-record';
import { until } from '../../support/until';
import { closedFirings, endedFirings, newNotesFolder, type NotesFolder, QUESTION } from './schedule-bench';

/** A schedule each, called by what its second and third firing do when something is killed; with the activity of that. */
const POINTS = { finds: 'findMaterial', works: 'deepDiveSection', keeps: 'keepResult' } as const;
type Point = keyof typeof POINTS;
const KILLED = Object.keys(POINTS) as Point[]; // an object's keys are its own
/** Another, which nothing happens to. */
const CALM = 'calm';
const ALL = [CALM, ...KILLED];

/** A firing that has begun, and that nobody works on yet. */
interface Begun {
  runId: string;
  workflowId: string;
  /** Under what the schedule keeps its results. */
  keptAs: string;
}

let bench: KillBench;
let folder: NotesFolder;
/** Of each schedule, first one first: before anything was killed, the worker, the server with the client, and behind that. */
const firings = new Map<string, Firing[]>();

beforeAll(async () => {
  bench = await openKillBench();
  folder = await newNotesFolder(bench.folder);
  await folder.add(0, 4);
  for (const name of ALL)
    await bench.colligate.createSchedule({
      name,
      // The server hears of an end a little later, and would leave out what is triggered until then.
      times: { cron: '0 9 1 1 *' },
      overlap: 'allow-all',
      run: {
        report: {
          question: QUESTION,
          sources: { paths: [folder.path] },
          searchAttributes: true,
          outages: SHORT_HEARTBEATS,
        },
      },
    });
  const first = await bench.startWorker();
  for (const name of ALL) await begun(name);
  await ended(1);
  await first.kill();

  await folder.add(4, 6);
  await begun(CALM);
  const killed = await holdAll();
  await killed.worker.kill();
  for (const [point, { workflowId, runId }] of killed.begun) {
    const pending = await bench.pending(point === 'works' ? runId : workflowId);
    expect(pending).toContainEqual(expect.objectContaining({ type: POINTS[point], pid: killed.worker.pid }));
  }
  const survivor = await bench.startWorker();
  await ended(2);
  await survivor.kill();

  await folder.add(6, 7);
  await begun(CALM);
  // Who fires, and who watches, is killed as well.
  const { worker, begun: running } = await holdAll((name) => bench.command('schedule', 'trigger', name));
  const watch = bench.command('watch', running.get('works')?.runId ?? '');
  await watch.said(/^Started: /m);
  await watch.kill();
  await bench.server.kill();
  // What is held is finished while nobody is there to be told.
  worker.letGo();
  await bench.server.restart();
  await ended(3);

  await folder.add(7, 8);
  for (const name of ALL) await begun(name);
  await ended(4);
});
afterAll(() => bench.close());

const scheduleOf = (name: string): ScheduleHandle => bench.colligate.schedule(name);

/** A worker that stops in a firing of each schedule, where its name says. */
async function holdAll(
  command?: (name: string) => SpawnedCommand,
): Promise<{ worker: HoldingWorker; begun: Map<Point, Begun> }> {
  const all = new Map<Point, Begun>();
  for (const name of KILLED) {
    const triggering = command?.(name);
    all.set(name, await begun(name, triggering === undefined ? undefined : () => Promise.resolve()));
    await triggering?.kill();
  }
  const holds = [...all].map(([point, firing]) => holdAt(point, firing));
  const worker = await bench.startHoldingWorker(holds);
  for (const hold of holds) await worker.holds(hold);
  return { worker, begun: all };
}

/** Has the schedule fire; no worker needs to be there. */
async function begun(name: string, trigger = () => scheduleOf(name).trigger()): Promise<Begun> {
  const before = firings.get(name)?.length ?? 0;
  await trigger();
  const { memo, info } = await until(
    () => bench.client.schedule.getHandle(name).describe(),
    ({ info: { numActionsTaken, recentActions } }) =>
      numActionsTaken > before && recentActions.length > before,
  );
  const workflowId = info.recentActions.at(-1)?.action.workflow.workflowId ?? '';
  return {
    workflowId,
    // What was triggered is called by the time that the server has put into the name.
    runId: scheduledRunId(name, workflowId, new Date(0)),
    keptAs: String(memo?.['keptAs']),
  };
}

function holdAt(point: Point, { runId, workflowId, keptAs }: Begun): Hold {
  switch (point) {
    case 'finds':
      return { runId, workflowId, at: 'handed over' };
    case 'works':
      return { runId, at: 'asked', step: 'extract-findings' };
    case 'keeps':
      return { runId: keptAs, workflowId, at: 'recorded', event: 'scheduled-run' };
  }
}

/** Until so many firings of each have ended. */
async function ended(count: number): Promise<void> {
  for (const name of ALL) {
    await closedFirings(bench.client, name, count);
    firings.set(name, await endedFirings(scheduleOf(name), (all) => all.length >= count));
  }
}

/** What a firing left, by names and times that all schedules have in common. */
async function leftBy(name: string, at: number): Promise<{ left: unknown; record: RunRecord }> {
  const runId = firings.get(name)?.[at]?.runId ?? '';
  const record = await bench.finished(runId);
  const { report } = record;
  // They are named by their content, which says when it was.
  for (const version of report.judge?.versions ?? []) version.reportRef = version.markdownRef;
  let text = JSON.stringify(comparable(record));
  const own: [string | null | undefined, string][] = [
    [report.since?.runId, 'BEFORE'],
    [runId, 'RUN'],
    [report.since?.asOf, 'TIME-BEFORE'],
    [report.provenance.asOf, 'TIME'],
  ];
  for (const [word, common] of own) if (word) text = text.replaceAll(word, common);
  return { left: JSON.parse(text), record };
}

test('every firing ends well, and none is made twice', async () => {
  for (const name of ALL) {
    expect(firings.get(name)?.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    expect((await scheduleOf(name).describe()).counts).toEqual({ fired: 4, skipped: 0, missed: 0 });
    for (const { runId } of firings.get(name) ?? [])
      expect(await bench.executions(runId)).toEqual(['COMPLETED']);
  }
});

test.each(KILLED)(
  'a firing that %s when worker, server or client is killed leaves what an undisturbed one leaves',
  async (name) => {
    for (const at of [0, 1, 2, 3]) {
      const [disturbed, calm] = [await leftBy(name, at), await leftBy(CALM, at)];
      expect(disturbed.left).toEqual(calm.left);
      expect(problemsOfLog(disturbed.record)).toEqual([]);
      expect(keysOf(disturbed.record)).toEqual(keysOf(calm.record));
    }
  },
);

test.each(KILLED)('the firing behind one that %s finds what that has left, once', async (name) => {
  const left = await Promise.all([0, 1, 2, 3].map((at) => leftBy(name, at)));
  const reports = left.map(({ record }) => record.report);
  expect(reports.map(({ since }) => since?.runId)).toEqual([
    undefined,
    ...reports.slice(0, 3).map(({ id }) => id),
  ]);
  const read = reports.map(({ since }) => since?.summary?.sources.read);
  expect(read.map((counts) => [counts?.came, counts?.unchanged]).slice(1)).toEqual([
    [2, 4],
    [1, 6],
    [1, 7],
  ]);
  const { memo } = await bench.client.schedule.getHandle(name).describe();
  const kept = (await bench.stores.events.read(String(memo?.['keptAs']))).flatMap((event) =>
    event.type === 'scheduled-run' ? [event.payload.runId] : [],
  );
  expect(kept).toEqual(reports.map(({ id }) => id));
});
