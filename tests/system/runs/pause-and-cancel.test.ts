import type { RunEvent } from '../../../src/contracts/run/event';
import { asked, ended, reaches, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { openScriptedBench } from '../../support/run-bench';
import { until } from '../../support/until';

/** What the worker waits for after it has appended an event, by the run and the event's type. */
const holds = new Map<string, () => Promise<void>>();

const bench = forAllTests(() =>
  openScriptedBench((runId, { type }) => holds.get(`${runId} ${type}`)?.() ?? Promise.resolve()),
);

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
    const hold = bench.play().hold('extract-findings');
    const run = await bench.report('paused');
    await hold.reached;
    await run.pause();
    await reaches(run, 'pausing');
    hold.release();
    await reaches(run, 'paused');
    expect(asked(bench, 'cross-check')).toEqual([]);
    const read = (await bench.eventsOf('paused')).filter(({ type }) => type === 'deep-dive-section');
    expect(read).toHaveLength(2);
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });

  it('holds over continue-as-new', async () => {
    bench.play();
    const planned = holdAfter('paused-over', 'outline-generated');
    const run = await bench.startRun('paused-over', { continueAsNewAfterEvents: 1 });
    await planned.reached;
    const execution = async (): Promise<string> =>
      (await bench.client.workflow.getHandle('paused-over').describe()).runId;
    const before = await execution();
    await run.pause();
    planned.release();
    await until(execution, (now) => now !== before);
    await reaches(run, 'paused');
    expect(asked(bench, 'extract-findings')).toEqual([]);
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });

  it('does not keep a run from being cancelled', async () => {
    const hold = bench.play().hold('outline');
    const run = await bench.report('paused-cancelled');
    await hold.reached;
    await run.pause();
    hold.release();
    await reaches(run, 'paused');
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
    const hold = bench.play().hold(step, text);
    const run = await bench.report(runId);
    await hold.reached;
    if (text !== '') await seen(run, ({ section }) => section?.index === 1);
    await run.cancel();
    const { status, report, markdown } = await ended(run);
    expect([status, report.status]).toEqual(['cancelled', 'cancelled']);
    expect((await bench.client.workflow.getHandle(runId).describe()).status.name).toBe('CANCELLED');
    expect(report.sections.map(({ title }) => title)).toEqual(sections);
    expect(markdown).toContain('The run was cancelled before it was finished.');
    if (text !== '')
      expect(markdown).toContain('Evening walks made 25 students fall asleep 12 minutes earlier');
    expect((await bench.eventsOf(runId)).at(-1)).toMatchObject({
      type: 'run-completed',
      payload: { status: 'cancelled' },
    });
    expect(await run.progress()).toMatchObject({ status: 'cancelled' });
  });
});
