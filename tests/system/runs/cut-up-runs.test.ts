import { joinPlans } from '../../../src/core/ranking/join-plans';
import type { MergeOutlinesInput } from '../../../src/steps/merge-outlines/contract';
import { RUN_SHAPE } from '../../../src/core/run/run-shape';
import type { ReportRunInput } from '../../../src/contracts/report/report-run';
import { asked, ended, reaches } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { planOfOne } from '../../support/report-script';
import { activitiesIn, openScriptedBench } from '../../support/run-bench';
import { pendingActivities } from '../../support/pending-activities';
import { until } from '../../support/until';

/** Runs whose work is cut up: the bench's four sources make four batches, in two rounds of two. */
const IN_ROUNDS: Partial<ReportRunInput> = {
  shape: { ...RUN_SHAPE, sourcesABatch: 1, mostBatches: 4, atOnce: 2, round: 2 },
};

const bench = forAllTests(openScriptedBench);

/** What the run's activity under way has said last. */
async function beatOf(runId: string): Promise<unknown> {
  const { raw } = await bench.client.workflow.getHandle(runId).describe();
  const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
  return payload?.data ? JSON.parse(Buffer.from(payload.data).toString()) : null;
}

it('has more batches, and none that is larger than its shape says', async () => {
  bench.play();
  const shape = { ...RUN_SHAPE, sourcesABatch: 1, mostBatches: 1, largestBatch: 2 };
  const run = await bench.startRun('no-larger', { shape });
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  expect(asked(bench, 'summarise')).toHaveLength(2);
});

it('has no more under way than its shape says, and a pause takes effect within that', async () => {
  const hold = bench.play().hold('summarise');
  const run = await bench.startRun('bounded', IN_ROUNDS);
  await hold.reached;
  expect(await pendingActivities(bench.client, 'bounded')).toHaveLength(2);
  await run.pause();
  await reaches(run, 'pausing');
  hold.release();
  await reaches(run, 'paused');
  expect(asked(bench, 'summarise')).toHaveLength(2);
  expect(await pendingActivities(bench.client, 'bounded')).toEqual([]);
  await run.resume();
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  expect(asked(bench, 'summarise')).toHaveLength(4);
});

it('goes on in a new history within a pass, to the same report, and says what its activities are at', async () => {
  const hold = bench.play().hold('outline');
  const whole = await bench.startRun('whole', {});
  await hold.reached;
  expect(
    await until(
      () => beatOf('whole'),
      (said) => said !== null,
    ),
  ).toMatchObject({ doing: 'outline' });
  hold.release();
  const { status, markdown } = await ended(whole);
  expect(status).toBe('completed');

  bench.play();
  const split = await ended(bench.startRun('in-rounds', { ...IN_ROUNDS, continueAsNewAfterEvents: 1 }));
  expect(split).toMatchObject({ status: 'completed', markdown });
  const [first = []] = await bench.historiesOf('in-rounds');
  expect(activitiesIn(first).join(' ')).toBe(
    'admitRun recordEvents summariseBatch summariseBatch listArtifacts',
  );
  expect(first.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  expect(asked(bench, 'summarise')).toHaveLength(4);
  const phases = (await bench.eventsOf('in-rounds')).filter(({ type }) => type === 'multi-pass-phase');
  expect(phases).toHaveLength(5);
});

it('is paused in its new history where it was in the one before', async () => {
  const hold = bench.play().hold('summarise', 'tea');
  const run = await bench.startRun('paused-between', { ...IN_ROUNDS, continueAsNewAfterEvents: 1 });
  // The second round has the tea: the run has gone on in a second history.
  await hold.reached;
  expect((await bench.historiesOf('paused-between')).length).toBeGreaterThan(1);
  await run.pause();
  hold.release();
  const paused = await reaches(run, 'paused');
  expect(paused).toMatchObject({ toldBy: 'run', pass: { name: 'gather' } });
  // Two rounds of two with their lists, and the catalogue, are seven parts; five of them are done.
  expect(paused.percent).toBeCloseTo((15 * 5) / 7, 0);
  await run.resume();
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  expect(asked(bench, 'summarise')).toHaveLength(4);
});

it('plans and scores in rounds too', async () => {
  bench.play({
    outline: planOfOne,
    'merge-outlines': ({ plans }: MergeOutlinesInput) => joinPlans(plans),
  });
  const shape = { ...RUN_SHAPE, ...IN_ROUNDS.shape, summariesAtOnce: 1 };
  const run = await ended(bench.startRun('planned-in-rounds', { shape, continueAsNewAfterEvents: 1 }));
  expect(run.status).toBe('completed');
  expect(asked(bench, 'outline')).toHaveLength(4);
  expect(asked(bench, 'score-relevance')).toHaveLength(4);
  expect(run.report.citations).toHaveLength(4);
});
