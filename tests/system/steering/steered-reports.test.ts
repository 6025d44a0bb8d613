import type { RunHandle } from '../../../src/client';
import type { SourceRecord } from '../../../src/contracts/source/source';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { createScriptedEngine, type ScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { reportOf, useScriptedRuns } from '../runs/scripted-runs';

const runs = useScriptedRuns();

const APPROVAL = { timeoutMs: 600_000 };
const WALKS: SourceRecord = {
  id: 'walk-3',
  url: 'https://example.org/walk-3',
  title: 'Walking at noon and sleep',
  content: 'Walking at noon shortened the nights of 80 nurses by 4 percent. They slept deeper.',
};

function begin(): ScriptedEngine {
  const engine = createScriptedEngine(REPORT_SCRIPT);
  runs.engine = engine;
  return engine;
}

async function waiting(run: RunHandle): Promise<void> {
  await until(
    () => run.progress(),
    ({ status }) => status === 'awaiting-approval',
  );
}

describe('a report that waits for approval', () => {
  it('goes on when its outline is approved, and not before', async () => {
    const engine = begin();
    const { run } = await runs.bench.colligate.startReport(
      runs.bench.request({ runId: 'approved', approval: APPROVAL }),
    );
    await waiting(run);
    expect(engine.calls.some(({ step }) => step === 'extract-findings')).toBe(false);
    expect((await run.approveOutline()).said).toMatch(/^The outline is approved/);
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const events = await runs.bench.stores.events.read('approved');
    expect(events.filter(({ type }) => type === 'approval-over')).toMatchObject([
      { payload: { by: 'approval' } },
    ]);
  });

  it('goes on by itself when the time is over, and says so', async () => {
    begin();
    const { run } = await runs.bench.colligate.startReport(
      runs.bench.request({
        runId: 'not-approved',
        approval: { timeoutMs: 50 },
        budget: { maxTimeMs: 600_000 },
      }),
    );
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const { report } = await reportOf(run);
    expect(report.warnings.map(({ code }) => code)).toContain('not-approved');
  });

  it('has the outline that somebody gave, in its words and order', async () => {
    const engine = begin();
    const { run } = await runs.bench.colligate.startReport(
      runs.bench.request({ runId: 'outlined', approval: APPROVAL }),
    );
    await waiting(run);
    const outline = { sections: [{ title: 'Black and green tea' }, { title: 'Walking in the evening' }] };
    await run.setOutline(outline);
    await until(
      () => run.outline(),
      (now) => now?.sections[0]?.title === 'Black and green tea',
    );
    await waiting(run);
    await run.approveOutline();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const { report } = await reportOf(run);
    expect(report.sections.map(({ title }) => title)).toEqual([
      'Black and green tea',
      'Walking in the evening',
    ]);
    expect(engine.calls.filter(({ step }) => step === 'outline')).toHaveLength(1);
    await expect(run.setOutline(outline)).rejects.toThrow('has ended');
  });

  it('can be cancelled while it waits', async () => {
    begin();
    const { run } = await runs.bench.colligate.startReport(
      runs.bench.request({ runId: 'cancelled-waiting', approval: APPROVAL }),
    );
    await waiting(run);
    await run.pause();
    await until(
      () => run.progress(),
      ({ status }) => status === 'paused',
    );
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
  });
});

describe('sources that are added', () => {
  it('join before pass 2, and what is there already does not', async () => {
    const engine = begin();
    const { run } = await runs.bench.colligate.startReport(
      runs.bench.request({ runId: 'joined', approval: APPROVAL }),
    );
    await waiting(run);
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
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const { report } = await reportOf(run);
    expect(report.sources.total).toBe(5);
    expect(report.claims.map(({ text }) => text).join()).toContain('80 nurses');
    // Nobody had given or approved of the outline, so it is planned of all; what was read for it before is not read again.
    expect(engine.calls.filter(({ step }) => step === 'outline')).toHaveLength(2);
    const summarised = engine.calls.filter(({ step }) => step === 'summarise').slice(1);
    expect(summarised).toHaveLength(1);
    expect(JSON.stringify(summarised)).not.toContain('walk-1');
    expect(await run.kind()).toBe('report');
  });

  it('change only the sections that they concern when the report is written', async () => {
    const engine = begin();
    const hold = engine.hold('write-summary');
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'late' }));
    await hold.reached;
    const before = engine.calls.length;
    expect((await run.addSources({ records: [WALKS] })).said).toMatch(/short pass/);
    await expect(run.setOutline({ sections: [{ title: 'Tea' }] })).rejects.toThrow('Pass 2 has begun');
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const { report, markdown } = await reportOf(run);
    expect(markdown).toContain('80 nurses');
    const later = engine.calls.slice(before);
    const told = (step: string): unknown[] => later.filter((call) => call.step === step);
    expect(told('extract-findings')).toHaveLength(1);
    expect(JSON.stringify(told('extract-findings'))).not.toContain('walk-1');
    expect(told('write-section')).toHaveLength(1);
    expect(told('outline')).toHaveLength(0);
    const plain = await plainReport();
    // The numbers of its citations follow from the whole report; its words and what they cite do not.
    const texts = (of: typeof report): string[] =>
      of.sections.map((section) => section.markdown.replaceAll(/\[\d+\]/g, '[…]'));
    expect(texts(report)[1]).toBe(texts(plain)[1]);
    expect(texts(report)[0]).not.toBe(texts(plain)[0]);
  });

  it('are the first of a run that is started by the signal that brings them', async () => {
    begin();
    const { bench } = runs;
    const corpus = await bench.colligate.openCorpus(
      { records: [...SOURCES, WALKS] },
      { heldBy: 'by-signal' },
    );
    const handle = await bench.client.workflow.signalWithStart('report', {
      workflowId: 'by-signal',
      taskQueue: bench.config.temporal.taskQueue,
      args: [{ question: 'Does walking help sleep?' }],
      signal: 'addSources',
      signalArgs: [{ id: 'first', manifestRef: corpus.manifestRef, sourceCount: 5 }],
    });
    await handle.result();
    const { report } = await reportOf(bench.colligate.run('by-signal'));
    expect(report.sources.total).toBe(5);
    await expect(
      bench.client.workflow.execute('report', {
        workflowId: 'without-sources',
        taskQueue: bench.config.temporal.taskQueue,
        args: [{ question: 'Does walking help sleep?' }],
      }),
    ).rejects.toMatchObject({ cause: { type: 'InvalidInput' } });
  });
});

it('says why a message is not taken', async () => {
  const hold = begin().hold('outline');
  const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'refused' }));
  await hold.reached;
  await expect(run.approveOutline()).rejects.toThrow('does not wait for approval');
  await expect(run.setBudget({})).rejects.toThrow('setBudget sets nothing');
  await expect(run.setBudget({ maxTokens: -1 })).rejects.toThrow('maxTokens is -1');
  expect((await run.setBudget({ maxTokens: 1_000, maxCostUsd: 2 })).said).toBe(
    'The limits are now: 1000 tokens, $2.',
  );
  expect((await run.setBudget({ maxTokens: null, maxTimeMs: 1 })).said).toContain('The time is over already');
  expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
});

async function plainReport(): ReturnType<typeof onlyReport> {
  begin();
  const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'plain' }));
  await run.waitUntilClosed();
  return onlyReport(run);
}

async function onlyReport(run: RunHandle): Promise<Awaited<ReturnType<typeof reportOf>>['report']> {
  return (await reportOf(run)).report;
}
