import type { RunEvent } from '../../../src/contracts/run/event';
import type { WriteSectionInput } from '../../../src/steps/write-section/contract';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { reportOf, useScriptedRuns } from './scripted-runs';

const runs = useScriptedRuns();

describe('a report run', () => {
  it('goes through its passes to a report that cites its sources', async () => {
    runs.engine = createScriptedEngine(REPORT_SCRIPT);
    const { run, sources, attached } = await runs.bench.colligate.startReport(
      runs.bench.request({ runId: 'whole' }),
    );
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
    runs.engine = createScriptedEngine(REPORT_SCRIPT);
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'events' }));
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
      'audit',
      'audit',
      'judge',
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
    runs.engine = engine;
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'retried' }));
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(engine.calls.filter((call) => call.step === 'extract-findings')).toHaveLength(3);
    const events = await eventsOf('retried');
    const read = events.filter((event) => event.type === 'deep-dive-section');
    expect(read).toHaveLength(2);
    for (const { payload } of read) expect(payload.sectionName).toBe(payload.title);
    const outlined = events.find((event) => event.type === 'outline-generated');
    for (const { relevantSources } of outlined?.payload.sections ?? []) {
      expect(relevantSources?.length).toBeGreaterThan(0);
      expect(relevantSources?.length).toBeLessThanOrEqual(15);
      for (const { relevanceScore } of relevantSources ?? []) expect(relevanceScore).toBeLessThanOrEqual(1);
    }
    const conflict = events.find((event) => event.type === 'conflict-detected');
    expect(conflict?.payload.claim).toMatch(/\S/);
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
    runs.engine = createScriptedEngine(script);
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'anew' }));
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
    runs.engine = engine;
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'asked' }));
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
      await runs.bench.client.workflow
        .getHandle('asked')
        .describe()
        .then(({ staticDetails }) => staticDetails()),
    ).toBe('4 sources · engine `extractive`\n\nThe report, when there is one: `colligate show asked`');
    expect((await run.outline())?.sections.map((section) => section.title)).toEqual(['Walking', 'Tea']);
    expect(await runs.bench.client.workflow.getHandle('asked').query('outline')).toMatchObject({
      sections: [
        { id: 'section-1', sources: 2 },
        { id: 'section-2', sources: 2 },
      ],
    });
    expect((await run.usage()).total.calls).toBe(0);
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(await currentDetails('asked')).toMatch(
      /- ✓ 4\. Generating comprehensive report…\n\n4 citations · score 5 of 5\n\n\u00a0$/,
    );
    expect(await attributesOf('asked')).toEqual({
      ColligateKind: 'report',
      ColligateStatus: 'completed',
      ColligatePass: 4,
      ColligateCitations: 4,
      ColligateScore: 5,
    });
    // Its history has references to what an engine wrote, and none of the words.
    const told = textOfHistory(await runs.bench.client.workflow.getHandle('asked').fetchHistory());
    expect(told).toContain('section-1');
    expect(told).not.toMatch(/Walking|"Tea"|Small habits/);
  });
});

/** All that is in the payloads of a history, which JSON has in base64. */
function textOfHistory(history: unknown): string {
  return [...JSON.stringify(history).matchAll(/"data":"([^"]+)"/g)]
    .map(([, data = '']) => Buffer.from(data, 'base64').toString('utf8'))
    .join('\n');
}

/** What the Web UI shows of where a run is. */
async function currentDetails(runId: string): Promise<string> {
  const handle = runs.bench.client.workflow.getHandle(runId);
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

function eventsOf(runId: string): Promise<RunEvent[]> {
  return runs.bench.stores.events.read(runId);
}

async function attributesOf(runId: string): Promise<Record<string, unknown>> {
  const { typedSearchAttributes } = await runs.bench.client.workflow.getHandle(runId).describe();
  const ours = typedSearchAttributes.getAll().filter(({ key }) => key.name.startsWith('Colligate'));
  return Object.fromEntries(ours.map(({ key, value }) => [key.name, value]));
}
