import type { RunEvent } from '../../../src/contracts/run/event';
import { REPORT_SCRIPT } from '../../support/report-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { reportOf, useScriptedRuns } from './scripted-runs';

const runs = useScriptedRuns((runId, { type }) => holds.get(`${runId} ${type}`)?.() ?? Promise.resolve());

/** What the worker waits for after it has appended an event, by the run and the event's type. */
const holds = new Map<string, () => Promise<void>>();

/** Stops the worker behind a run's next event of the type until it is let go. */
function holdAfter(runId: string, type: RunEvent['type']): { reached: Promise<void>; release(): void } {
  const name = `${runId} ${type}`;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const reached = new Promise<void>((reach) => {
    holds.set(name, () => {
      holds.delete(name);
      reach();
      return released;
    });
  });
  return { reached, release };
}

describe('pausing', () => {
  it('lets what is under way finish, begins nothing, and goes on when resumed', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    const hold = engine.hold('extract-findings');
    runs.engine = engine;
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'paused' }));
    await hold.reached;
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
    expect(engine.calls.some((call) => call.step === 'cross-check')).toBe(false);
    expect((await eventsOf('paused')).filter((event) => event.type === 'deep-dive-section')).toHaveLength(2);
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });

  it('holds over continue-as-new', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    runs.engine = engine;
    const planned = holdAfter('paused-over', 'outline-generated');
    const run = await runs.bench.startRun('paused-over', { continueAsNewAfterEvents: 1 });
    await planned.reached;
    const history = (await runs.bench.client.workflow.getHandle('paused-over').describe()).runId;
    await run.pause();
    planned.release();
    await until(
      async () => (await runs.bench.client.workflow.getHandle('paused-over').describe()).runId,
      (id) => id !== history,
    );
    await until(
      () => run.progress(),
      ({ status }) => status === 'paused',
    );
    expect(engine.calls.some((call) => call.step === 'extract-findings')).toBe(false);
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });

  it('does not keep a run from being cancelled', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    const hold = engine.hold('outline');
    runs.engine = engine;
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'paused-cancelled' }));
    await hold.reached;
    await run.pause();
    hold.release();
    await until(
      () => run.progress(),
      ({ status }) => status === 'paused',
    );
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
  });
});

describe('cancelling', () => {
  it.each([
    ['before the outline', 'outline', '', []],
    ['in the deep dive', 'extract-findings', '"Tea"', ['Walking', 'Tea']],
    ['while sections are written', 'write-section', '"Tea"', ['Walking', 'Tea']],
  ])('leaves a partial report: %s', async (_when, step, text, sections) => {
    const runId = `cancelled-${step}`;
    const engine = createScriptedEngine(REPORT_SCRIPT);
    const hold = engine.hold(step, text);
    runs.engine = engine;
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId }));
    await hold.reached;
    if (text !== '') {
      await until(
        () => run.progress(),
        ({ section }) => section?.index === 1,
      );
    }
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
    expect(await executionStatus(runId)).toBe('CANCELLED');
    const { report, markdown } = await reportOf(run);
    expect(report.status).toBe('cancelled');
    expect(report.sections.map((section) => section.title)).toEqual(sections);
    expect(markdown).toContain('The run was cancelled before it was finished.');
    if (text !== '')
      expect(markdown).toContain('Evening walks made 25 students fall asleep 12 minutes earlier');
    expect((await eventsOf(runId)).at(-1)).toMatchObject({
      type: 'run-completed',
      payload: { status: 'cancelled' },
    });
    expect(await run.progress()).toMatchObject({ status: 'cancelled' });
  });
});

function eventsOf(runId: string): Promise<RunEvent[]> {
  return runs.bench.stores.events.read(runId);
}

async function executionStatus(runId: string): Promise<string> {
  return (await runs.bench.client.workflow.getHandle(runId).describe()).status.name;
}
