import type { ReportRequest, RunHandle } from '../../../src/client';
import type { SourceRecord } from '../../../src/contracts/source';
import { asked, ended, reaches, reportOf } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { SOURCES } from '../../support/report-script';
import { openScriptedBench } from '../../support/run-bench';
import { until } from '../../support/until';

const bench = forAllTests(openScriptedBench);

const APPROVAL = { timeoutMs: 600_000 };
const WALKS: SourceRecord = {
  id: 'walk-3',
  url: 'https://example.org/walk-3',
  title: 'Walking at noon and sleep',
  content: 'Walking at noon shortened the nights of 80 nurses by 4 percent. They slept deeper.',
};

/** The passes that began, in their order. */
async function phasesOf(runId: string): Promise<number[]> {
  const events = await bench.eventsOf(runId);
  return events.flatMap((event) => (event.type === 'multi-pass-phase' ? [event.payload.pass] : []));
}

/** A run that waits for approval of its outline. */
async function waiting(runId: string, given: Partial<ReportRequest> = {}): Promise<RunHandle> {
  bench.play();
  const run = await bench.report(runId, { approval: APPROVAL, ...given });
  await reaches(run, 'awaiting-approval');
  return run;
}

describe('a report that waits for approval', () => {
  it('goes on when its outline is approved, and not before', async () => {
    const run = await waiting('approved');
    expect(asked(bench, 'extract-findings')).toEqual([]);
    expect((await run.approveOutline()).said).toMatch(/^The outline is approved/);
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const events = await bench.eventsOf('approved');
    expect(events.filter(({ type }) => type === 'approval-over')).toMatchObject([
      { payload: { by: 'approval' } },
    ]);
  });

  it('goes on by itself when the time is over, and says so', async () => {
    bench.play();
    const limits = { approval: { timeoutMs: 50 }, budget: { maxTimeMs: 600_000 } };
    const { status, report } = await ended(bench.report('not-approved', limits));
    expect(status).toBe('completed');
    expect(report.warnings.map(({ code }) => code)).toContain('not-approved');
  });

  it('has the outline that somebody gave, in its words and order', async () => {
    const run = await waiting('outlined');
    const outline = { sections: [{ title: 'Black and green tea' }, { title: 'Walking in the evening' }] };
    await run.setOutline(outline);
    await until(
      () => run.outline(),
      (now) => now?.sections[0]?.title === 'Black and green tea',
    );
    await reaches(run, 'awaiting-approval');
    await run.approveOutline();
    const { status, report } = await ended(run);
    expect(status).toBe('completed');
    expect(report.sections.map(({ title }) => title)).toEqual([
      'Black and green tea',
      'Walking in the evening',
    ]);
    expect(asked(bench, 'outline')).toHaveLength(1);
    await expect(run.setOutline(outline)).rejects.toThrow('has ended');
  });
});

describe('sources that are added', () => {
  it('join before pass 2, and what is there already does not', async () => {
    const run = await waiting('joined');
    expect(await run.addSources({ records: [WALKS] }, { id: 'a' })).toMatchObject({ added: 1, known: 0 });
    expect(await run.addSources({ records: [WALKS] }, { id: 'a' })).toMatchObject({ added: 1, known: 0 });
    expect(await run.addSources({ records: [WALKS] }, { id: 'b' })).toMatchObject({
      added: 0,
      known: 1,
      said: 'Nothing is new: 1 source is there already.',
    });
    await expect(run.addSources({ records: [{ ...WALKS, content: 'Other.' }] }, { id: 'a' })).rejects.toThrow(
      'The id "a" was used before, for addSources with other content',
    );
    await run.approveOutline();
    const { status, report } = await ended(run);
    expect(status).toBe('completed');
    expect(report.sources.total).toBe(5);
    expect(report.claims.map(({ text }) => text).join()).toContain('80 nurses');
    // Nobody had given or approved of the outline, so it is planned of all; what was read for it before is not read again.
    expect(asked(bench, 'outline')).toHaveLength(2);
    const summarised = asked(bench, 'summarise').slice(1);
    expect(summarised).toHaveLength(1);
    expect(JSON.stringify(summarised)).not.toContain('walk-1');
    expect(await run.kind()).toBe('report');
  });

  it('are read with all others, for the same outline, when the report is written', async () => {
    const engine = bench.play();
    const hold = engine.hold('write-summary');
    const run = await bench.report('late');
    await hold.reached;
    const before = engine.calls.length;
    expect((await run.addSources({ records: [WALKS] })).said).toMatch(/passes 2 to 4, which run once more/);
    await expect(run.setOutline({ sections: [{ title: 'Tea' }] })).rejects.toThrow('Pass 2 has begun');
    hold.release();
    const { status, report, markdown } = await ended(run);
    expect(status).toBe('completed');
    expect(markdown).toContain('80 nurses');
    const later = engine.calls.slice(before);
    const told = (step: string): unknown[] => later.filter((call) => call.step === step);
    expect(JSON.stringify(told('summarise'))).not.toContain('walk-1');
    expect(told('extract-findings')).toHaveLength(2);
    expect(told('write-section')).toHaveLength(2);
    expect(told('outline')).toHaveLength(0);
    expect(await phasesOf('late')).toEqual([0, 1, 2, 3, 4, 2, 3, 4]);
    bench.play();
    const { report: plain } = await ended(bench.report('plain'));
    // The numbers of its citations follow from the whole report; its words and what they cite do not.
    const texts = (of: typeof report): string[] =>
      of.sections.map((section) => section.markdown.replaceAll(/\[\d+\]/g, '[…]'));
    expect(texts(report)[1]).toBe(texts(plain)[1]);
    expect(texts(report)[0]).not.toBe(texts(plain)[0]);
  });

  it('are the first of a run that is started by the signal that brings them', async () => {
    bench.play();
    const records = [...SOURCES, WALKS];
    const { manifestRef } = await bench.colligate.openCorpus({ records }, { heldBy: 'by-signal' });
    const started = {
      taskQueue: bench.config.temporal.taskQueue,
      args: [{ question: 'Does walking help sleep?' }],
    };
    const handle = await bench.client.workflow.signalWithStart('report', {
      workflowId: 'by-signal',
      ...started,
      signal: 'addSources',
      signalArgs: [{ id: 'first', manifestRef, sourceCount: 5 }],
    });
    await handle.result();
    const { report } = await reportOf(bench.colligate.run('by-signal'));
    expect(report.sources.total).toBe(5);
    await expect(
      bench.client.workflow.execute('report', { workflowId: 'without-sources', ...started }),
    ).rejects.toMatchObject({ cause: { type: 'InvalidInput' } });
  });
});

it('says why a message is not taken', async () => {
  const hold = bench.play().hold('outline');
  const run = await bench.report('refused');
  await hold.reached;
  await expect(run.approveOutline()).rejects.toThrow('does not wait for approval');
  hold.release();
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
});
