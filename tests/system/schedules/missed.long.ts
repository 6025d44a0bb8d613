import { rm } from 'node:fs/promises';
import { forAllTests } from '../../support/for-all-tests';
import { startTestServer, type TestServer } from '../../support/temporal-server';
import { until } from '../../support/until';
import { endedFirings, openScheduleBench, QUESTION } from './schedule-bench';

let temporal: TestServer;
const bench = forAllTests(async () => openScheduleBench((temporal = await startTestServer())));

test('what the server missed is made up for within the catch-up, and no longer', async () => {
  await bench.serve([]);
  const folder = await bench.newFolder();
  await folder.add(0, 2);
  const catchUpMs = 10_000; // the server allows no less
  const times = { everyMs: 1_000 };
  const report = { question: QUESTION, sources: { paths: [folder.path] }, searchAttributes: true };
  const schedule = await bench.colligate.createSchedule({
    name: 'away',
    times,
    overlap: 'buffer-all',
    catchUpMs,
    run: { report },
  });
  await endedFirings(schedule, (firings) => firings.length > 0);
  await rm(folder.path, { recursive: true }); // so that a firing is short
  await temporal.kill();
  const goneAt = new Date();
  const backAt = new Date(goneAt.getTime() + catchUpMs + 1_000);
  // What came due in the first second is beyond the catch-up then.
  await until(
    async () => new Date(),
    (now) => now > backAt,
  );
  await temporal.restart();
  await until(
    async () => (await schedule.describe()).counts.missed,
    (missed) => missed > 0,
  );
  const meanwhile = `TemporalScheduledStartTime > "${goneAt.toISOString()}" AND TemporalScheduledStartTime < "${backAt.toISOString()}"`;
  await until(
    () => bench.client.workflow.count(`TemporalScheduledById = "away" AND ${meanwhile}`),
    ({ count }) => count > 0,
  );
  await schedule.delete();
});
