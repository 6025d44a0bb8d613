import { rm } from 'node:fs/promises';
import type { Firing, ScheduleHandle, ScheduleRequest } from '../../../src/client';
import { createGoodModel } from '../../model-server/good-model';
import { forAllTests } from '../../support/for-all-tests';
import { until } from '../../support/until';
import { endedFirings, type NotesFolder, openScheduleBench, QUESTION, reportOf } from './schedule-bench';

const bench = forAllTests(() => openScheduleBench());
let folder: NotesFolder;

beforeEach(async () => {
  folder = await bench.newFolder();
  await folder.add(0, 2);
});
afterEach(() => bench.rest());

const overFolder = () => ({
  question: QUESTION,
  sources: { paths: [folder.path] },
  searchAttributes: true,
});

/** Fires only when it is triggered, unless a test says otherwise. */
const scheduled = (given: Partial<ScheduleRequest> & { name: string }): Promise<ScheduleHandle> =>
  bench.colligate.createSchedule({
    times: { cron: '0 9 1 1 *' },
    run: { report: overFolder() },
    ...given,
  });

/** Fires and waits for the end of it; the latest comes last. */
async function triggered(schedule: ScheduleHandle): Promise<Firing> {
  const { firings } = await schedule.describe();
  const before = firings.map(({ runId }) => runId);
  // The server skips a firing while it believes that the last one is running. It names firings by the second, also those of a deleted
  // schedule of the same name.
  const last = Math.max(0, ...firings.map(({ at }) => Date.parse(at)));
  await until(
    async () => (await bench.client.schedule.getHandle(schedule.name).describe()).info,
    ({ runningActions, recentActions }) =>
      runningActions.length === 0 &&
      secondOf(new Date()) > secondOf(recentActions.at(-1)?.takenAt ?? new Date(0)) &&
      secondOf(new Date()) > secondOf(new Date(last)),
  );
  await schedule.trigger();
  const ended = await endedFirings(schedule, (firings) =>
    firings.some(({ runId }) => !before.includes(runId)),
  );
  return ended.at(-1) ?? { runId: '', status: 'failed', at: '' };
}

function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

test('a firing whose folder is gone or empty fails with the reason, and the next one compares with the last report', async () => {
  await bench.serve([]);
  const schedule = await scheduled({ name: 'gone' });
  const first = await triggered(schedule);
  expect(first.status).toBe('completed');
  await rm(folder.path, { recursive: true });
  const failed = await triggered(schedule);
  expect(failed).toMatchObject({ status: 'failed' });
  expect(failed.problem).toContain(`${folder.path}: no such file or folder`);
  expect(failed.problem).toMatch(/could not be read by the worker on \S+: 1 problem/);
  await folder.add(0, 0);
  expect((await triggered(schedule)).problem).toContain('the folder has no source');
  await folder.add(0, 3);
  const next = await reportOf(bench, await triggered(schedule));
  expect(next.since).toMatchObject({ runId: first.runId, changed: true });
  expect(next.since?.summary?.sources.read).toMatchObject({ came: 1, unchanged: 2 });
  await schedule.delete();
});

test('a deleted run is compared with all the same; a deleted schedule is forgotten, and its runs stay', async () => {
  await bench.serve([]);
  const schedule = await scheduled({ name: 'forgotten', note: 'by hand' });
  const first = await triggered(schedule);
  await bench.colligate.delete(first.runId);
  const second = await triggered(schedule);
  expect((await reportOf(bench, second)).since).toMatchObject({ runId: first.runId, changed: false });

  await schedule.pause();
  expect(await schedule.describe()).toMatchObject({ paused: true, note: 'by hand' });
  await schedule.resume();
  expect(await schedule.describe()).toMatchObject({ paused: false, overlap: 'skip', catchUpMs: 86_400_000 });
  await expect(scheduled({ name: 'forgotten' })).rejects.toThrow('There is a schedule "forgotten" already');
  await schedule.delete();
  await expect(schedule.describe()).rejects.toThrow('There is no schedule "forgotten"');
  expect((await reportOf(bench, second)).id).toBe(second.runId);
  expect((await bench.stores.events.runs()).filter((id) => id.startsWith('schedule:forgotten'))).toEqual([]);

  const anew = await scheduled({ name: 'forgotten' });
  expect((await reportOf(bench, await triggered(anew))).since).toBeUndefined();
  await anew.delete();
});

test('what comes due while a run goes on is skipped; cancelling the run ends its firing, and the schedule goes on', async () => {
  let isHeld = true;
  const model = createGoodModel({ onQuestion: true });
  const { models } = await bench.serve((request) => async (incoming, response) => {
    await until(
      async () => isHeld,
      (held) => !held || response.destroyed,
    );
    await model.answer(request)(incoming, response);
  });
  const schedule = await scheduled({
    name: 'busy',
    times: { everyMs: 1_000 },
    run: { report: { ...overFolder(), engine: 'openai', models } },
  });
  const { counts, firings } = await until(
    () => schedule.describe(),
    (now) => now.counts.skipped >= 3 && now.firings[0]?.status === 'running',
  );
  expect(counts.fired).toBe(1);
  const [running] = firings;
  const listed = (await bench.colligate.list()).find(({ runId }) => runId === running?.runId);
  expect(listed).toMatchObject({ schedule: 'busy', kind: 'report' });
  await schedule.pause();
  await bench.colligate.run(running?.runId ?? '').cancel();
  isHeld = false;
  const [ended] = await endedFirings(schedule, (all) => all.length > 0);
  expect(ended).toMatchObject({ runId: running?.runId, status: 'cancelled' });
  await schedule.resume();
  const [, next] = await endedFirings(schedule, (all) => all.length > 1);
  expect(next?.status).toBe('completed');
  // A run that goes on would ask the model of the next test.
  await schedule.pause();
  await until(
    () => schedule.describe(),
    (now) => now.firings.every(({ status }) => status !== 'finding' && status !== 'running'),
  );
  await schedule.delete();
});

test('an answer says whether it changed, and a brief what its subtopics brought', async () => {
  await bench.serve([]);
  const { colligate } = bench;
  const { sources, ...given } = overFolder();
  const answer = { ...given, question: 'Does vitamin D help bone density?', sources };
  const answers = await scheduled({ name: 'asked', run: { answer } });
  const briefs = await scheduled({ name: 'told', run: { brief: { ...given, subtopics: sources } } });
  await triggered(answers);
  await triggered(briefs);
  const again = await triggered(answers);
  expect(again.problem).toBeUndefined();
  const same = await colligate.answerOf(again.runId).reply();
  expect(same?.answer).toMatch(/\*\*Since the last report\*\*\n\nSince run asked-\S+ of \S+ nothing changed/);
  await folder.add(2, 5);
  const other = await colligate.answerOf((await triggered(answers)).runId).reply();
  expect(other?.since?.summary?.sources.read).toMatchObject({ came: 3 });
  const brief = await colligate.briefOf((await triggered(briefs)).runId).result();
  expect(brief?.since).toMatchObject({ changed: true });
  expect(brief?.markdown).toMatch(
    /## Since the last report\n\nSince run told-\S+ of \S+: sources cited \d+ newly cited/,
  );
  await answers.delete();
  await briefs.delete();
});
