import { joinPlans } from '../../../src/core/ranking/join-plans';
import type { OutlinePlan } from '../../../src/contracts/report/outline';
import type { MergeOutlinesInput } from '../../../src/steps/merge-outlines/contract';
import type { OutlineInput } from '../../../src/steps/outline/contract';
import { RUN_SHAPE } from '../../../src/core/run/run-shape';
import type { ReportRunInput } from '../../../src/contracts/report/report-run';
import type { ColligateWorker } from '../../../src/worker';
import { REPORT_SCRIPT } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { createScriptedEngine, enginesThatFollow, type ScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';

/** The bench's four sources make four batches, in two rounds of two. */
const IN_ROUNDS: Partial<ReportRunInput> = {
  shape: { ...RUN_SHAPE, sourcesABatch: 1, mostBatches: 4, atOnce: 2, round: 2 },
};

let bench: RunBench;
let worker: ColligateWorker;
let current: ScriptedEngine;

beforeAll(async () => {
  bench = await openRunBench();
  worker = await bench.startWorker(enginesThatFollow(() => current));
});
afterAll(async () => {
  await worker.drain();
  await bench.close();
});

async function pendingActivities(runId: string): Promise<number> {
  const { raw } = await bench.client.workflow.getHandle(runId).describe();
  return raw.pendingActivities?.length ?? 0;
}

/** What the run's activity under way has said last. */
async function beatOf(runId: string): Promise<unknown> {
  const { raw } = await bench.client.workflow.getHandle(runId).describe();
  const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
  return payload?.data ? JSON.parse(Buffer.from(payload.data).toString()) : null;
}

function summarised(): number {
  return current.calls.filter(({ step }) => step === 'summarise').length;
}

async function markdownOf(runId: string): Promise<string | undefined> {
  return (await bench.colligate.run(runId).report())?.markdown;
}

/** Of a single source there is a section for its own subject only. */
function planOfOne({ sources }: OutlineInput): OutlinePlan {
  const subject = sources[0]?.sourceId.startsWith('walk') ? 'Walking' : 'Tea';
  return {
    overallTheme: 'Small habits have measurable effects.',
    sections: [
      {
        id: 'section-1',
        title: subject,
        description: `What ${subject} does.`,
        subsections: [],
        relevantSources: sources.map(({ sourceId }) => ({ sourceId, relevance: 0.9 })),
      },
    ],
  };
}

describe('a run whose work is cut up', () => {
  it('has more batches, and none that is larger than its shape says', async () => {
    current = createScriptedEngine(REPORT_SCRIPT);
    const shape = { ...RUN_SHAPE, sourcesABatch: 1, mostBatches: 1, largestBatch: 2 };
    const run = await bench.startRun('no-larger', { shape });
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(summarised()).toBe(2);
  });

  it('has no more under way than its shape says, and a pause takes effect within that', async () => {
    current = createScriptedEngine(REPORT_SCRIPT);
    const hold = current.hold('summarise');
    const run = await bench.startRun('bounded', IN_ROUNDS);
    await hold.reached;
    expect(await pendingActivities('bounded')).toBe(2);
    await run.pause();
    await until(
      () => run.progress(),
      ({ status }) => status === 'pausing',
    );
    hold.release();
    await until(
      () => run.progress(),
      ({ status }) => status === 'paused',
    );
    expect(summarised()).toBe(2);
    expect(await pendingActivities('bounded')).toBe(0);
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(summarised()).toBe(4);
  });

  it('goes on in a new history within a pass, to the same report', async () => {
    current = createScriptedEngine(REPORT_SCRIPT);
    await (await bench.startRun('whole', {})).waitUntilClosed();
    current = createScriptedEngine(REPORT_SCRIPT);
    const run = await bench.startRun('in-rounds', { ...IN_ROUNDS, continueAsNewAfterEvents: 1 });
    const first = await bench.client.workflow.getHandle('in-rounds').describe();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });

    const { events } = await bench.client.workflow.getHandle('in-rounds', first.runId).fetchHistory();
    const done = (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
    );
    expect(done).toEqual(['admitRun', 'recordEvents', 'summariseBatch', 'summariseBatch', 'listArtifacts']);
    expect(events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
    expect(summarised()).toBe(4);
    expect(await markdownOf('in-rounds')).toBe(await markdownOf('whole'));
    const phases = (await bench.stores.events.read('in-rounds')).filter(
      ({ type }) => type === 'multi-pass-phase',
    );
    expect(phases).toHaveLength(5);
  });

  it('is paused in its new history where it was in the one before', async () => {
    current = createScriptedEngine(REPORT_SCRIPT);
    const hold = current.hold('summarise', 'tea');
    const run = await bench.startRun('paused-between', { ...IN_ROUNDS, continueAsNewAfterEvents: 1 });
    const first = await bench.client.workflow.getHandle('paused-between').describe();
    // The second round has the tea: the run has gone on in a second history.
    await hold.reached;
    const second = await bench.client.workflow.getHandle('paused-between').describe();
    expect(second.runId).not.toBe(first.runId);
    await run.pause();
    hold.release();
    const paused = await until(
      () => run.progress(),
      ({ status }) => status === 'paused',
    );
    expect(paused).toMatchObject({ toldBy: 'run', pass: { name: 'gather' } });
    // Two rounds of two with their lists, and the catalogue, are seven parts; five of them are done.
    expect(paused.percent).toBeCloseTo((15 * 5) / 7, 0);
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(summarised()).toBe(4);
  });

  it('says what its activities are at', async () => {
    current = createScriptedEngine(REPORT_SCRIPT);
    const hold = current.hold('outline');
    const run = await bench.startRun('saying', {});
    await hold.reached;
    const beat = await until(
      () => beatOf('saying'),
      (said) => said !== null,
    );
    expect(beat).toMatchObject({ doing: 'outline' });
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });

  it('plans and scores in rounds too', async () => {
    current = createScriptedEngine(REPORT_SCRIPT);
    const shape = { ...RUN_SHAPE, ...IN_ROUNDS.shape, summariesAtOnce: 1 };
    current = createScriptedEngine({
      ...REPORT_SCRIPT,
      outline: planOfOne,
      'merge-outlines': ({ plans }: MergeOutlinesInput) => joinPlans(plans),
    });
    const run = await bench.startRun('planned-in-rounds', { shape, continueAsNewAfterEvents: 1 });
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const asked = (name: string): number => current.calls.filter(({ step }) => step === name).length;
    expect(asked('outline')).toBe(4);
    expect(asked('score-relevance')).toBe(4);
    expect((await run.report())?.report.citations).toHaveLength(4);
  });
});
