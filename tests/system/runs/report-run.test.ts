import type { RunEvent } from '../../../src/contracts/run/event';
import type { Report } from '../../../src/contracts/report/report';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import type { RunHandle } from '../../../src/client';
import type { WriteSectionInput } from '../../../src/steps/write-section/contract';
import type { ColligateWorker } from '../../../src/worker';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { createScriptedEngine, enginesThatFollow, type ScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';

const MODEL = { name: 'scripted', contextTokens: 16_000, price: null };
const MODELS = { fast: MODEL, strong: MODEL, critic: MODEL };

let bench: RunBench;
let worker: ColligateWorker;
/** The engine of the test that runs; one worker serves them all. */
let current: ScriptedEngine;

beforeAll(async () => {
  bench = await openRunBench();
  worker = await bench.startWorker(
    enginesThatFollow(() => current),
    (runId, { type }) => holds.get(`${runId} ${type}`)?.() ?? Promise.resolve(),
  );
});
afterAll(async () => {
  await worker.drain();
  await bench.close();
});

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

function workWith(engine: ScriptedEngine): void {
  current = engine;
}

async function reportOf(run: RunHandle): Promise<{ report: Report; markdown: string }> {
  const stored = await run.report();
  if (stored === null) throw new Error(`run ${run.runId} must have stored a report`);
  return stored;
}

/** What two runs of the same report have in common, to the byte. */
function comparable({ report, markdown }: { report: Report; markdown: string }): unknown {
  const { id: _id, timings: _timings, usage: _usage, provenance, ...rest } = report;
  const { runtime: _runtime, ...pinned } = provenance;
  return { ...rest, provenance: pinned, markdown };
}

function eventsOf(runId: string): Promise<RunEvent[]> {
  return bench.stores.events.read(runId);
}

async function executionStatus(runId: string): Promise<string> {
  return (await bench.client.workflow.getHandle(runId).describe()).status.name;
}

async function attributesOf(runId: string): Promise<Record<string, unknown>> {
  const { typedSearchAttributes } = await bench.client.workflow.getHandle(runId).describe();
  const ours = typedSearchAttributes.getAll().filter(({ key }) => key.name.startsWith('Colligate'));
  return Object.fromEntries(ours.map(({ key, value }) => [key.name, value]));
}

describe('a report run', () => {
  it('goes through its passes to a report that cites its sources', async () => {
    workWith(createScriptedEngine(REPORT_SCRIPT));
    const { run, sources, attached } = await bench.colligate.startReport(bench.request({ runId: 'whole' }));
    expect({ sources, attached }).toEqual({ sources: SOURCES.length, attached: false });
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });

    const { report, markdown } = await reportOf(run);
    expect(report.status).toBe('completed');
    expect(report.sections.map((section) => section.title)).toEqual(['Walking', 'Tea']);
    expect(report.citations.map((citation) => citation.sourceId)).toEqual([
      'walk-1',
      'walk-2',
      'tea-1',
      'tea-2',
    ]);
    expect(report.claims).toHaveLength(4);
    expect(report.conflicts.map((conflict) => conflict.topic)).toEqual(['tea and attention']);
    expect(report.gaps.slice(0, 2)).toEqual(['What else does walking do?', 'What else does tea do?']);
    expect(markdown).toContain('Walking for 30 minutes improved sleep in 40 adults.');
    const quotes = report.claims.flatMap((claim) => claim.evidence);
    expect(quotes).toHaveLength(4);
    for (const { n, quote, start, end } of quotes) {
      const id = report.citations[n - 1]?.sourceId;
      expect(SOURCES.find((source) => source.id === id)?.content.slice(start, end)).toBe(quote);
    }
  });

  it('tells its events once and in order', async () => {
    workWith(createScriptedEngine(REPORT_SCRIPT));
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'events' }));
    const events: RunEvent[] = [];
    for await (const event of run.events()) events.push(event);

    expect(events.map((event) => event.number)).toEqual(events.map((_event, index) => index + 1));
    const messages = events.flatMap((event) =>
      event.type === 'multi-pass-phase' ? [event.payload.message] : [],
    );
    expect(messages).toEqual([
      'Gathering 4 sources…',
      'Analyzing themes across 4 sources…',
      'Deep diving into top 4 sources…',
      'Validating findings and checking for conflicts…',
      'Generating comprehensive report…',
    ]);
    const types = events.map((event) => event.type).filter((type) => type !== 'content-chunk');
    expect(types).toEqual([
      'run-started',
      'multi-pass-phase',
      'multi-pass-phase',
      'outline-generated',
      'multi-pass-phase',
      'deep-dive-section',
      'deep-dive-section',
      'multi-pass-phase',
      'conflict-detected',
      'multi-pass-phase',
      'section-written',
      'section-written',
      'citation-stats',
      'run-completed',
    ]);
    const texts = await sectionTexts('events');
    expect(texts.get('section-1')).toContain('[@walk-1]\n\nEvening walks');
    expect(texts.get('section-2')).toContain('Green tea');
  });

  it('retries a failing activity, and says nothing twice', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    engine.failOnce('extract-findings', new Error('the engine is away for a moment'));
    workWith(engine);
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'retried' }));
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(engine.calls.filter((call) => call.step === 'extract-findings')).toHaveLength(3);
    const events = await eventsOf('retried');
    expect(events.filter((event) => event.type === 'deep-dive-section')).toHaveLength(2);
    expect(new Set(events.map((event) => event.key)).size).toBe(events.length);
  });

  it('announces a new generation where a section is written anew in other words', async () => {
    let attempts = 0;
    const script = {
      ...REPORT_SCRIPT,
      'write-section': (
        input: WriteSectionInput,
        { onText }: { onText?: (text: string) => void },
      ): unknown => {
        if (input.section.id === 'section-1') {
          attempts += 1;
          onText?.(`Attempt ${attempts}: `);
          if (attempts === 1) throw new Error('the stream broke off');
        }
        return REPORT_SCRIPT['write-section']?.(input as never, {} as never);
      },
    };
    workWith(createScriptedEngine(script));
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'anew' }));
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const restarts = (await eventsOf('anew')).flatMap((event) =>
      event.type === 'section-restarted' ? [event.payload] : [],
    );
    expect(restarts.map((restart) => restart.section)).toEqual(['section-1', 'section-1']);
    expect(restarts.map((restart) => restart.generation)).toEqual([2, 3]);
    const { report } = await reportOf(run);
    const [first] = report.claims;
    expect((await sectionTexts('anew')).get('section-1')).toMatch(/^Walking for 30 minutes/);
    expect(first?.text).toMatch(/^Walking for 30 minutes/);
  });

  it('answers queries while it works', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    const hold = engine.hold('extract-findings', '"Tea"');
    workWith(engine);
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'asked' }));
    await hold.reached;
    const progress = await until(
      () => run.progress(),
      ({ section }) => section?.index === 1,
    );
    expect(progress).toMatchObject({
      toldBy: 'run',
      status: 'running',
      pass: { number: 2, of: 4, name: 'deep-dive', message: 'Deep diving into top 4 sources…' },
      section: { index: 1, of: 2, title: 'Tea' },
      percent: 36.7,
    });
    expect(await currentDetails('asked')).toBe(
      [
        '**running** · 36.7 %',
        '',
        '- ✓ 0. Gathering 4 sources…',
        '- ✓ 1. Analyzing themes across 4 sources…',
        '- **2. Deep diving into top 4 sources…**',
        '  - 1 of 2 sections done',
        '  - ✓ Section 1',
        '  - Section 2',
        '- 3. Validating findings and checking for conflicts…',
        '- 4. Generating comprehensive report…',
        '',
        '\u00a0',
      ].join('\n'),
    );
    expect(
      await bench.client.workflow
        .getHandle('asked')
        .describe()
        .then(({ staticDetails }) => staticDetails()),
    ).toBe('4 sources · engine `extractive`\n\nThe report, when there is one: `colligate show asked`');
    expect((await run.outline())?.sections.map((section) => section.title)).toEqual(['Walking', 'Tea']);
    expect(await bench.client.workflow.getHandle('asked').query('outline')).toMatchObject({
      sections: [
        { id: 'section-1', sources: 2 },
        { id: 'section-2', sources: 2 },
      ],
    });
    expect((await run.usage()).total.calls).toBe(0);
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(await currentDetails('asked')).toMatch(
      /- ✓ 4\. Generating comprehensive report…\n\n4 citations\n\n\u00a0$/,
    );
    expect(await attributesOf('asked')).toEqual({
      ColligateKind: 'report',
      ColligateStatus: 'completed',
      ColligatePass: 4,
      ColligateCitations: 4,
    });
    // Its history has references to what an engine wrote, and none of the words.
    const told = textOfHistory(await bench.client.workflow.getHandle('asked').fetchHistory());
    expect(told).toContain('section-1');
    expect(told).not.toMatch(/Walking|"Tea"|Small habits/);
  });
});

describe('pausing', () => {
  it('lets what is under way finish, begins nothing, and goes on when resumed', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    const hold = engine.hold('extract-findings');
    workWith(engine);
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'paused' }));
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
    workWith(engine);
    const planned = holdAfter('paused-over', 'outline-generated');
    const run = await bench.startRun('paused-over', { continueAsNewAfterEvents: 1 });
    await planned.reached;
    const history = (await bench.client.workflow.getHandle('paused-over').describe()).runId;
    await run.pause();
    planned.release();
    await until(
      async () => (await bench.client.workflow.getHandle('paused-over').describe()).runId,
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
    workWith(engine);
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'paused-cancelled' }));
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
    workWith(engine);
    const { run } = await bench.colligate.startReport(bench.request({ runId }));
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

describe('limits', () => {
  it('gives the same report when every pass continues as new', async () => {
    workWith(createScriptedEngine(REPORT_SCRIPT));
    const undisturbed = await bench.startRun('one-history', {});
    const split = await bench.startRun('many-histories', { continueAsNewAfterEvents: 1 });
    expect(await undisturbed.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(await split.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(comparable(await reportOf(split))).toEqual(comparable(await reportOf(undisturbed)));
    const histories = await until(
      async () => {
        const found: string[] = [];
        const query = 'WorkflowId = "many-histories"';
        for await (const info of bench.client.workflow.list({ query })) found.push(info.status.name);
        return found;
      },
      (found) => found.includes('COMPLETED'),
    );
    expect(histories.filter((status) => status === 'CONTINUED_AS_NEW')).toHaveLength(4);
    const keys = async (runId: string): Promise<string[]> =>
      (await eventsOf(runId)).map((event) => event.key).sort();
    expect(await keys('many-histories')).toEqual(await keys('one-history'));
    expect(await split.passResult('overview')).toEqual(await undisturbed.passResult('overview'));
    expect(await attributesOf('many-histories')).toEqual(await attributesOf('one-history'));
  });

  it('ends with a partial report when its time is up', async () => {
    const run = await runOutOfTimeInChecks();
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect(await executionStatus(run.runId)).toBe('COMPLETED');
    const { report, markdown } = await reportOf(run);
    expect(report.status).toBe('partial');
    expect(markdown).toContain('The time allowed for the run was over before it was finished.');
    expect(markdown).toContain('Black tea had no effect on attention in 30 drivers');
  });

  /** A run whose time will be over while its findings are checked: it is given as much as it needs to get there. */
  async function runOutOfTimeInChecks(): Promise<RunHandle> {
    for (let maxTimeMs = 3_000; ; maxTimeMs *= 3) {
      const engine = createScriptedEngine(REPORT_SCRIPT);
      const hold = engine.hold('cross-check');
      workWith(engine);
      const request = bench.request({ runId: `late-${maxTimeMs}`, budget: { maxTimeMs } });
      const { run } = await bench.colligate.startReport(request);
      const wasInTime = await Promise.race([
        hold.reached.then(() => true),
        run.waitUntilClosed().then(() => false),
      ]);
      if (wasInTime) return run;
    }
  }

  it('quotes where the budget has no room to ask a model, and never loses the report', async () => {
    const usage = { calls: 1, cachedCalls: 0, inputTokens: 900, outputTokens: 100, costUsd: 0 };
    const engine = createScriptedEngine(REPORT_SCRIPT, { name: 'openai', usage });
    workWith(engine);
    const budget = { maxTokens: 60_000 };
    const request = bench.request({ runId: 'poor', engine: 'openai', models: MODELS, budget });
    const { run } = await bench.colligate.startReport(request);
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    const { report, markdown } = await reportOf(run);
    expect(report.warnings.map((warning) => warning.code)).toContain('budget');
    expect(report.warnings.map((warning) => warning.message).join()).toMatch(/done by quoting instead/);
    expect(report.sections.map((section) => section.title)).toEqual(['Walking', 'Tea']);
    expect(report.claims.length).toBeGreaterThan(0);
    expect(markdown).toContain('## Walking');
    // What was done by quoting was no call.
    expect(report.usage.calls).toBeLessThan(engine.calls.length);
    expect(report.usage.inputTokens + report.usage.outputTokens).toBeLessThanOrEqual(budget.maxTokens);
  });

  it('ends partial, with the reason, when a step cannot be carried out and nothing stands in for it', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    engine.failOnce('summarise', new StepFailedError('summarise', [{ path: 'summaries', message: 'none' }]));
    workWith(engine);
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'failing' }));
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect((await eventsOf('failing')).at(-1)).toMatchObject({ type: 'run-completed' });
    expect((await reportOf(run)).markdown).toMatch(
      /Pass 0 could not be finished \(Step summarise gave an output that breaks its contract/,
    );
    expect(await run.progress()).toMatchObject({ status: 'partial' });
  });
});

/** What the Web UI shows of where a run is. */
/** All that is in the payloads of a history, which JSON has in base64. */
function textOfHistory(history: unknown): string {
  return [...JSON.stringify(history).matchAll(/"data":"([^"]+)"/g)]
    .map(([, data = '']) => Buffer.from(data, 'base64').toString('utf8'))
    .join('\n');
}

async function currentDetails(runId: string): Promise<string> {
  const handle = bench.client.workflow.getHandle(runId);
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

/** The text of each section's newest generation, as a reader of the log would put it together. */
async function sectionTexts(runId: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const event of await eventsOf(runId)) {
    if (event.type === 'section-restarted') texts.set(event.payload.section, '');
    if (event.type !== 'content-chunk') continue;
    const text = texts.get(event.payload.section) ?? '';
    expect(event.payload.offset).toBe(text.length);
    texts.set(event.payload.section, text + event.payload.text);
  }
  return texts;
}
