import type { RunHandle } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/run/event';
import type { Conflict } from '../../../src/contracts/report/finding';
import type { Outline } from '../../../src/contracts/report/outline';
import type { CrossCheckInput, CrossCheckOutput } from '../../../src/steps/cross-check/contract';
import type { OutlineInput } from '../../../src/steps/outline/contract';
import type { WriteSectionInput } from '../../../src/steps/write-section/contract';
import { asked, attributesOf, ended, reportOf, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { openScriptedBench } from '../../support/run-bench';
import type { Hold, StepScript } from '../../support/scripted-engine';
import { until } from '../../support/until';

const bench = forAllTests(openScriptedBench);

describe('a report run', () => {
  let run: RunHandle;
  let hold: Hold;
  beforeAll(async () => {
    hold = bench.play().hold('extract-findings', '"Tea"');
    const begun = await bench.colligate.startReport(bench.request({ runId: 'whole' }));
    expect(begun).toMatchObject({ sources: SOURCES.length, attached: false });
    ({ run } = begun);
  });

  it('answers queries while it works', async () => {
    await hold.reached;
    const progress = await seen(run, ({ section }) => section?.index === 1);
    expect(progress).toMatchObject({
      toldBy: 'run',
      status: 'running',
      pass: { number: 2, of: 4, name: 'deep-dive', message: 'Deep diving into top 4 sources…' },
      section: { index: 1, of: 2, title: 'Tea' },
      percent: 36.7,
    });
    expect(await currentDetails('whole')).toBe(
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
    const handle = bench.client.workflow.getHandle('whole');
    expect(await (await handle.describe()).staticDetails()).toBe(
      '4 sources · engine `extractive`\n\nThe report, when there is one: `colligate show whole`',
    );
    expect((await run.outline())?.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
    const sections = ['section-1', 'section-2'].map((id) => ({ id, sources: 2 }));
    expect(await handle.query('outline')).toMatchObject({ sections });
    expect((await run.usage()).total.calls).toBe(0);
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(await currentDetails('whole')).toMatch(
      /- ✓ 4\. Generating comprehensive report…\n\n4 citations · score 5 of 5\n\n\u00a0$/,
    );
    expect(await attributesOf(bench, 'whole')).toEqual({
      ColligateKind: 'report',
      ColligateStatus: 'completed',
      ColligatePass: 4,
      ColligateCitations: 4,
      ColligateScore: 5,
    });
    // Its history has references to what an engine wrote, and none of the words.
    const told = textOfHistory(await bench.historiesOf('whole'));
    expect(told).toContain('section-1');
    expect(told).not.toMatch(/Walking|"Tea"|Small habits/);
  });

  it('goes through its passes to a report that cites its sources', async () => {
    const { report, markdown } = await reportOf(run);
    expect(report.status).toBe('completed');
    expect(report.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
    expect(report.citations.map(({ sourceId }) => sourceId)).toEqual(SOURCES.map(({ id }) => id));
    expect(report.claims).toHaveLength(4);
    expect(report.conflicts.map(({ topic }) => topic)).toEqual(['tea and attention']);
    expect(report.gaps.slice(0, 2)).toEqual(['What else does walking do?', 'What else does tea do?']);
    expect(markdown).toContain('Walking for 30 minutes improved sleep in 40 adults.');
    const quotes = report.claims.flatMap(({ evidence }) => evidence);
    expect(quotes).toHaveLength(4);
    for (const { n, quote, start, end } of quotes) {
      const id = report.citations[n - 1]?.sourceId;
      expect(SOURCES.find((source) => source.id === id)?.content.slice(start, end)).toBe(quote);
    }
  });

  it('tells its events once and in order', async () => {
    const events: RunEvent[] = [];
    for await (const event of run.events()) events.push(event);
    expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
    expect(
      events.flatMap((event) => (event.type === 'multi-pass-phase' ? [event.payload.message] : [])),
    ).toEqual([
      'Gathering 4 sources…',
      'Analyzing themes across 4 sources…',
      'Deep diving into top 4 sources…',
      'Validating findings and checking for conflicts…',
      'Generating comprehensive report…',
    ]);
    const types = events.map(({ type }) => type).filter((type) => type !== 'content-chunk');
    expect(types.join(' ')).toBe(
      'run-started multi-pass-phase multi-pass-phase outline-generated multi-pass-phase ' +
        'deep-dive-section deep-dive-section multi-pass-phase conflict-detected multi-pass-phase ' +
        'section-written section-written audit audit judge citation-stats run-completed',
    );
    const texts = await sectionTexts('whole');
    expect(texts.get('section-1')).toContain('[@walk-1]\n\nEvening walks');
    expect(texts.get('section-2')).toContain('Green tea');
  });
});

it('a report run retries a failing activity, and says nothing twice', async () => {
  bench.play().failOnce('extract-findings', new Error('the engine is away for a moment'));
  expect(await ended(bench.report('retried'))).toMatchObject({ status: 'completed' });
  expect(asked(bench, 'extract-findings')).toHaveLength(3);
  const events = await bench.eventsOf('retried');
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
  expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
});

it('a report run announces a new generation where a section is written anew in other words', async () => {
  let attempts = 0;
  bench.play({
    'write-section': (input: WriteSectionInput, context) => {
      if (input.section.id === 'section-1') {
        attempts += 1;
        context.onText?.(`Attempt ${attempts}: `);
        if (attempts === 1) throw new Error('the stream broke off');
      }
      return scripted('write-section', input);
    },
  });
  const { status, report } = await ended(bench.report('anew'));
  expect(status).toBe('completed');
  const restarts = (await bench.eventsOf('anew')).flatMap((event) =>
    event.type === 'section-restarted' ? [event.payload] : [],
  );
  expect(restarts).toMatchObject([2, 3].map((generation) => ({ section: 'section-1', generation })));
  expect((await sectionTexts('anew')).get('section-1')).toMatch(/^Walking for 30 minutes/);
  expect(report.claims[0]?.text).toMatch(/^Walking for 30 minutes/);
});

/** What the script answers for a step. */
function scripted(step: string, input: unknown): unknown {
  return REPORT_SCRIPT[step]?.(input as never, {} as never);
}

/** The conflicts that a run has told of when only the check of walks is still to end, and those that it told of in the end. */
async function conflictsTold(
  runId: string,
  changes: Record<string, StepScript>,
): Promise<{ early: RunEvent[]; all: RunEvent[] }> {
  const told = async (): Promise<RunEvent[]> =>
    (await bench.eventsOf(runId)).filter(({ type }) => type === 'conflict-detected');
  const hold = bench.play(changes).hold('cross-check', '"Walking"');
  const run = await bench.report(runId);
  await hold.reached;
  const early = await until(told, (events) => events.length > 0);
  expect(await run.passResult('cross-reference')).toBeNull();
  hold.release();
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  return { early, all: await told() };
}

it('a conflict is told as soon as a section finds it, and not again at the end of the pass', async () => {
  const { early, all } = await conflictsTold('early', {});
  expect(early).toMatchObject([
    {
      key: '3/cross-check/-/0/conflict-detected/tea-1@0 | tea-2@0',
      payload: { topic: 'tea and attention', sources: ['tea-1', 'tea-2'] },
    },
  ]);
  expect(all).toEqual(early);
  expect((await reportOf(bench.colligate.run('early'))).report.conflicts).toHaveLength(1);
});

it('what two sections find, one the other way round, and one of them twice, is told once', async () => {
  let teaConflict: Conflict | undefined;
  const mirrored = (conflict: Conflict): Conflict => ({
    ...conflict,
    id: 'mirrored',
    topic: 'attention and tea',
    viewpoints: [...conflict.viewpoints].reverse(),
  });
  const { all } = await conflictsTold('twice-found', {
    // One section reads the sources of both.
    outline: (input: OutlineInput): Outline => {
      const planned = scripted('outline', input) as Outline;
      const relevantSources = input.sources.map(({ sourceId }) => ({ sourceId, relevance: 0.9 }));
      const sections = planned.sections.map((section) =>
        section.title === 'Walking' ? { ...section, relevantSources } : section,
      );
      return { ...planned, sections };
    },
    'cross-check': (input: CrossCheckInput): CrossCheckOutput => {
      const output = scripted('cross-check', input) as CrossCheckOutput;
      const [own] = output.conflicts;
      teaConflict ??= own;
      if (own !== undefined) return { ...output, conflicts: [own, mirrored(own)] };
      return { ...output, conflicts: teaConflict === undefined ? [] : [mirrored(teaConflict)] };
    },
  });
  expect(teaConflict).toBeDefined();
  expect(all).toHaveLength(1);
});

/** All that is in the payloads of a history, which JSON has in base64. */
function textOfHistory(history: unknown): string {
  return [...JSON.stringify(history).matchAll(/"data":"([^"]+)"/g)]
    .map(([, data = '']) => Buffer.from(data, 'base64').toString('utf8'))
    .join('\n');
}

/** What the Web UI shows of where a run is. */
async function currentDetails(runId: string): Promise<string> {
  const handle = bench.client.workflow.getHandle(runId);
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

/** The text of each section's newest generation, as a reader of the log would put it together. */
async function sectionTexts(runId: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const event of await bench.eventsOf(runId)) {
    if (event.type === 'section-restarted') texts.set(event.payload.section, '');
    if (event.type !== 'content-chunk') continue;
    const text = texts.get(event.payload.section) ?? '';
    expect(event.payload.offset).toBe(text.length);
    texts.set(event.payload.section, text + event.payload.text);
  }
  return texts;
}
