import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sectionsUnlikeReport, sectionTexts } from '../../../src/client';
import { Report } from '../../../src/contracts/report/report';
import { renderCitations } from '../../../src/core/report/citation-numbers';
import { followCutOff, problemsOfFollower } from '../../support/kills/follower';
import type { Hold } from '../../support/kills/hold';
import { openKillBench, type HoldingWorker, type KillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { problemsOfLog } from '../../support/kills/run-record';
import { until } from '../../support/until';

const RUN = 'followed';
const streamed = (section: number, words: 'its own' | 'its first' | 'other'): Hold => ({
  runId: RUN,
  at: 'streaming',
  words,
  section: `section-${section}`,
});

let bench: KillBench;
beforeAll(async () => {
  bench = await openKillBench();
});
afterAll(() => bench.close());

/** How many sections the worker is in the middle of. */
async function sectionsOf({ pid }: HoldingWorker): Promise<number> {
  const pending = await bench.pending(RUN);
  return pending.filter((activity) => activity.type === 'writeSection' && activity.pid === pid).length;
}

/** The ids of the planned sections that the log does not have as written. */
async function toBeWritten(): Promise<string[]> {
  const log = await bench.stores.events.read(RUN);
  const planned = log.findLast((event) => event.type === 'outline-generated')?.payload.sections ?? [];
  const written = new Set(
    log.flatMap((event) => (event.type === 'section-written' ? [event.payload.section] : [])),
  );
  return planned.map(({ id }) => id).filter((id) => !written.has(id));
}

test('while sections are written in parallel and workers are killed, a follower that is cut off ten times sees every event once, and the text of the report', async () => {
  // Only the first section has a whole paragraph, so that it is the one that is watched, whoever writes first.
  const firstHolds = [streamed(1, 'its own'), streamed(2, 'other'), streamed(3, 'its first')];
  const first = await bench.startHoldingWorker(firstHolds);
  const run = await bench.start(RUN, NOTES);
  const follower = followCutOff(run, { seed: 20_260_101, early: 3, inTexts: 5 });
  const watching = bench.command('watch', RUN, '--out', 'watched');
  for (const hold of firstHolds) await first.holds(hold);
  // The others are written before the worker dies: none of them can be begun behind this look.
  await until(toBeWritten, (left) => left.join() === 'section-1,section-2,section-3');
  await until(
    () => sectionsOf(first),
    (writing) => writing === 3,
  );
  await first.kill();
  follower.cut();

  // The words of one section change, another goes on in its own, and the third is finished.
  const secondHolds = [streamed(1, 'other'), streamed(2, 'its own')];
  const second = await bench.startHoldingWorker(secondHolds);
  for (const hold of secondHolds) await second.holds(hold);
  // In the log: what is watched shows it when the section whose turn it is has been written.
  await until(
    () => bench.stores.events.read(RUN),
    (log) => log.some(({ type, payload }) => type === 'section-written' && payload.section === 'section-3'),
  );
  // The log has it a moment before the server hears that it is done.
  await until(
    () => sectionsOf(second),
    (writing) => writing === 2,
  );
  await second.kill();
  follower.cut();

  await bench.startWorker();
  const record = await bench.finished(RUN);
  const followed = await follower.ended;
  expect(followed.cuts).toHaveLength(10);
  expect(followed.cuts.filter(({ midText }) => midText).length).toBeGreaterThanOrEqual(6);
  expect(problemsOfLog(record)).toEqual([]);
  expect(problemsOfFollower(followed, record.events)).toEqual([]);
  const restarted = followed.events.flatMap((event) =>
    event.type === 'section-restarted' ? [event.payload.section] : [],
  );
  expect([...new Set(restarted)].sort()).toEqual(['section-1', 'section-2']);

  const watched = await watching.ended;
  expect(watched.code).toBe(0);
  const report = Report.parse(
    JSON.parse(await readFile(join(bench.folder, 'watched', RUN, 'report.json'), 'utf8')),
  );
  expect(report.sections.length).toBeGreaterThanOrEqual(3);
  const texts = sectionTexts(followed.events);
  const numbers = new Map(report.citations.map(({ sourceId, n }) => [sourceId, n]));
  for (const { id, markdown } of report.sections) {
    expect(renderCitations(texts.get(id)?.text ?? '', numbers)).toBe(markdown);
  }
  expect(sectionsUnlikeReport(texts, report)).toEqual([]);
  expect(watched.stdout).toMatch(/1\. .* is written anew/);
  for (const { title } of report.sections) expect(watched.stdout).toContain(title);
});
