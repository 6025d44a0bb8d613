import type { ReportRequest, RunHandle } from '../../../src/client';
import { passMarkdown } from '../../../src/client/pass-markdown';
import type { RunEvent } from '../../../src/contracts/event';
import type { OutlinePlan } from '../../../src/contracts/outline';
import { StepFailedError } from '../../../src/engines/engine';
import type { OutlineInput } from '../../../src/steps/outline-sections';
import { BY_MODEL } from '../../support/answer-script';
import { asked, attributesOf, ended, type EndedRun, reportOf, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { comparable } from '../../support/kills/run-record';
import { executionStatuses } from '../../support/pending-activities';
import { planOfOne, SOURCES } from '../../support/report-script';
import { openScriptedBench, type RunBench } from '../../support/run-bench';
import type { Hold, StepScript } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { expectSound } from './expect-sound';

const bench = forAllTests(openScriptedBench);

describe('passes, events and queries', () => {
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
        /- ✓ 4\. Generating comprehensive report…\n\n4 citations\n\n\u00a0$/,
      );
      expect(await attributesOf(bench, 'whole')).toEqual({
        ColligateKind: 'report',
        ColligateStatus: 'completed',
        ColligatePass: 4,
        ColligateCitations: 4,
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
      // Sections are written and counted at the same time.
      expect(types.filter((type) => type === 'audit')).toHaveLength(2);
      expect(types.filter((type) => type !== 'audit').join(' ')).toBe(
        'run-started multi-pass-phase multi-pass-phase outline-generated multi-pass-phase ' +
          'deep-dive-section deep-dive-section multi-pass-phase conflict-detected multi-pass-phase ' +
          'section-written section-written citation-stats run-completed',
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
});

describe('settings of document 002', () => {
  /** What document 002's switches and limits do to a run, through a real server. */

  type Synthesis = RunBench['config']['synthesis'];

  /** A run with these settings in the place of the usual ones. */
  async function runWith(runId: string, changes: Partial<Synthesis>): Promise<EndedRun> {
    bench.play();
    return ended(bench.report(runId, { synthesis: { ...bench.config.synthesis, ...changes } }));
  }

  const sizesOf = (step: string): number[] =>
    asked<{ sources: unknown[] }>(bench, step).map(({ sources }) => sources.length);

  it('enableMultiPass false: one section from an excerpt of every source, not cross-checked', async () => {
    const run = await runWith('single', { enableMultiPass: false });
    expect(run.status).toBe('completed');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Which habits help?']);
    expect(new Set(bench.engine.calls.map(({ step }) => step))).toEqual(
      new Set(['summarise', 'extract-findings', 'write-section', 'write-summary']),
    );
    expect(run.report.claims.every(({ validated }) => !validated)).toBe(true);
    // No more of a source was read than a summary has.
    expect(run.report.sources).toMatchObject({ total: 4, inFull: 0, bySummary: 4, unused: 0 });
    expectSound(run);
  });

  it('enableCrossReference false: nothing is held against further sources', async () => {
    const run = await runWith('no-cross', { enableCrossReference: false });
    expect(run.status).toBe('completed');
    expect(asked(bench, 'cross-check')).toEqual([]);
    expect(run.report.claims.map(({ confidence }) => confidence)).toEqual([0.7, 0.7, 0.7, 0.7]);
  });

  it('enableFactChecking and enableConflictDetection reach the check', async () => {
    await runWith('switches', { enableFactChecking: false, enableConflictDetection: false });
    // One for each section, and one that seeks support for the major findings.
    expect(asked(bench, 'cross-check')).toMatchObject(
      [1, 2, 3].map(() => ({ factChecking: false, detectConflicts: false })),
    );
  });

  it('pass1SummaryCount: as many summaries as it says, nearest to the question', async () => {
    await runWith('few-summaries', { pass1SummaryCount: 3 });
    expect(sizesOf('outline')).toEqual([3]);
    expect(asked<OutlineInput>(bench, 'score-relevance').flatMap(({ sources }) => sources)).toHaveLength(4);
  });

  it('pass2FullContentCount and pass3CrossRefCount: how many sources a section reads, and is checked against', async () => {
    await runWith('few-read', { pass2FullContentCount: 1, pass3CrossRefCount: 1 });
    expect(sizesOf('extract-findings')).toEqual([1, 1]);
    // The source that each finding came from, and one more at most; the last check is on the findings of both sections.
    const [one = 0, other = 0, major = 0] = sizesOf('cross-check');
    expect(Math.max(one, other)).toBeLessThanOrEqual(2);
    expect(major).toBeLessThanOrEqual(3);
  });

  it('sourceQualityRules: who stands behind an address, with the reason', async () => {
    const rules = [{ level: 'authoritative' as const, reason: 'our own archive', domains: ['example.org'] }];
    const run = await runWith('rules', { sourceQualityRules: rules });
    expect(run.report.citations.map(({ quality }) => quality)).toEqual(
      SOURCES.map(() => ({ level: 'authoritative', reason: 'example.org: our own archive' })),
    );
    expect(run.markdown).toContain('our own archive');
  });

  const model = (name: string, contextTokens = 128_000) => ({ name, contextTokens, price: null });

  it('overviewModel and deepdiveModel: each pass asks its own model', async () => {
    const models = {
      fast: model('fast'),
      strong: model('strong'),
      critic: model('critic'),
      overview: model('planner'),
      deepDive: model('digger'),
    };
    const names: Record<string, string[]> = {};
    const { run: answer, ...engine } = bench.play({}, { name: 'openai' });
    bench.engine = {
      ...engine,
      run: (step, input, context) => {
        const name = context.models?.[step.role] ?? 'none';
        names[step.name] = [...new Set([...(names[step.name] ?? []), name])];
        return answer(step, input, context);
      },
    };
    const { status, report } = await ended(bench.report('models', { engine: 'openai', models }));
    expect(status).toBe('completed');
    expect(names).toEqual({
      // Quoted, for a run whose model fails.
      summarise: ['none'],
      outline: ['planner'],
      'extract-findings': ['digger'],
      'cross-check': ['digger'],
      'write-text': ['digger'],
      'audit-text': ['critic'],
      judge: ['critic'],
    });
    expect(report.provenance.models).toEqual(
      Object.fromEntries(Object.entries(models).map(([role, { name }]) => [role, name])),
    );
  });

  it('more summaries than a model’s window takes are planned in parts, and joined', async () => {
    bench.play(
      {
        outline: planOfOne,
        'merge-outlines': ({ plans }: { plans: { sections: object[] }[] }) => ({
          overallTheme: 'All of it.',
          sections: plans.map(({ sections }, at) => ({ ...sections[0], id: `section-${at + 1}` })),
        }),
      },
      { name: 'openai' },
    );
    const small = model('small', 3_000);
    const models = { fast: small, strong: model('small'), critic: small };
    const { run, status } = await ended(bench.report('in-parts', { engine: 'openai', models }));
    expect(status).toBe('completed');
    expect(sizesOf('outline')).toEqual([2, 2]);
    expect(asked(bench, 'merge-outlines')).toHaveLength(1);
    const outline = await run.outline();
    expect(outline).toMatchObject({
      overallTheme: 'All of it.',
      sections: [
        { id: 'section-1', title: 'Walking' },
        { id: 'section-2', title: 'Tea' },
      ],
    });
    for (const { sourceScores } of outline?.sections ?? [])
      expect(sourceScores.map(({ sourceId }) => sourceId).sort()).toEqual(SOURCES.map(({ id }) => id).sort());
  });
});

describe('sources without an answer', () => {
  /** A run whose sources have nothing on its question, through a real server. */

  const QUESTION = 'Which habits help?';
  const WARNING = {
    code: 'no-answer',
    message: `No sentence of the sources is likely to answer “${QUESTION}”.`,
  };

  const nothingPlanned = ({ sources }: OutlineInput): OutlinePlan => ({
    overallTheme: 'Nothing on it.',
    sections: [],
    unanswered: { nearest: sources.map(({ sourceId }) => sourceId).slice(0, 3) },
  });

  interface Told extends EndedRun {
    events: RunEvent[];
    steps: string[];
  }

  async function told(
    runId: string,
    changes: Record<string, StepScript>,
    given: Partial<ReportRequest> = {},
  ): Promise<Told> {
    bench.play(changes);
    const run = await ended(bench.report(runId, given));
    const steps = [...new Set(bench.engine.calls.map(({ step }) => step))];
    return { ...run, events: await bench.eventsOf(runId), steps };
  }

  /** One sentence, nearest sources that are cited, no sections, the question as the gap, a warning, and no word on citations. */
  function expectUnanswered({ status, report, markdown, events }: Told, nearest: number): void {
    expect(status).toBe('partial');
    expect(report).toMatchObject({
      status: 'partial',
      title: QUESTION,
      sections: [],
      claims: [],
      gaps: [QUESTION],
      warnings: [WARNING],
    });
    expect(markdown).toMatch(
      /## Executive Summary\n\nNo sentence of the sources is likely to answer “Which habits help\?”\. Nearest are: “/,
    );
    expect(markdown).not.toMatch(/wanted|minimum/);
    expect(report.citations).toHaveLength(nearest);
    expect(markdown.match(/^- \[\d\] /gm)).toHaveLength(nearest);
    const warnings = events.filter(({ type }) => type === 'warning');
    expect(warnings.map(({ payload }) => payload)).toEqual([WARNING]);
    expect(events.at(-1)).toMatchObject({ type: 'run-completed', payload: { status: 'partial' } });
  }

  describe('a run where nothing answers', () => {
    it('as the outline says: no section is scored, read, checked or written, and its outline names the nearest', async () => {
      const found = await told('nothing-planned', { outline: nothingPlanned });
      expectUnanswered(found, 3);
      expect(found.steps).toEqual(['summarise', 'outline']);
      expect(found.events.find(({ type }) => type === 'outline-generated')?.payload).toEqual({
        overallTheme: 'Nothing on it.',
        sections: [],
      });
      const { run } = found;
      const outline = await run.outline();
      if (outline === null) throw new Error('the run must have an outline');
      expect(outline.unanswered?.nearest).toEqual(SOURCES.slice(0, 3).map(({ id }) => id));
      const catalogue = await run.passResult('gather');
      const shown = passMarkdown({ pass: 'overview', result: outline }, { catalogue, outline });
      expect(shown).toContain(
        'nothing answers the question. Nearest to it are:\n\n- “Walking and sleep” `walk-1`',
      );
      expect(await run.passResult('deep-dive')).toBeNull();
      expect(await run.passResult('cross-reference')).toBeNull();
      expect(await run.progress()).toMatchObject({ status: 'partial', section: null, percent: 100 });
    });
  });
});

describe('limits', () => {
  it('a run gives the same report when every pass continues as new', async () => {
    bench.play();
    const undisturbed = await ended(bench.startRun('one-history', {}));
    const split = await ended(bench.startRun('many-histories', { continueAsNewAfterEvents: 1 }));
    expect([undisturbed.status, split.status]).toEqual(['completed', 'completed']);
    expect(comparable(split)).toEqual(comparable(undisturbed));
    const histories = await until(
      () => executionStatuses(bench.client, 'many-histories'),
      (found) => found.includes('COMPLETED'),
    );
    expect(histories.filter((status) => status === 'CONTINUED_AS_NEW')).toHaveLength(4);
    const keys = async (runId: string): Promise<string[]> =>
      (await bench.eventsOf(runId)).map((event) => event.key).sort();
    expect(await keys('many-histories')).toEqual(await keys('one-history'));
    expect(await split.run.passResult('overview')).toEqual(await undisturbed.run.passResult('overview'));
    expect(await attributesOf(bench, 'many-histories')).toEqual(await attributesOf(bench, 'one-history'));
  });

  /** A run whose time will be over while its findings are checked: it is given as much as it needs to get there. */
  async function runOutOfTimeInChecks(): Promise<RunHandle> {
    for (let maxTimeMs = 3_000; ; maxTimeMs *= 3) {
      const hold = bench.play().hold('cross-check');
      const run = await bench.report(`late-${maxTimeMs}`, { budget: { maxTimeMs } });
      const wasInTime = await Promise.race([
        hold.reached.then(() => true),
        run.waitUntilClosed().then(() => false),
      ]);
      if (wasInTime) return run;
    }
  }

  it('a run ends with a partial report when its time is up', async () => {
    const { run, status, report, markdown } = await ended(runOutOfTimeInChecks());
    expect([status, report.status]).toEqual(['partial', 'partial']);
    expect((await bench.client.workflow.getHandle(run.runId).describe()).status.name).toBe('COMPLETED');
    expect(markdown).toContain('The time allowed for the run was over before it was finished.');
    expect(markdown).toContain('Black tea had no effect on attention in 30 drivers');
  });

  it('a run asks no model once its budget is spent, quotes instead, and keeps the report', async () => {
    const usage = { calls: 1, cachedCalls: 0, inputTokens: 1_800, outputTokens: 200, costUsd: 0 };
    bench.play({}, { name: 'openai', usage });
    const budget = { maxTokens: 4_000 };
    const { status, report, markdown } = await ended(bench.report('poor', { ...BY_MODEL, budget }));
    expect(status).toBe('partial');
    expect(report.warnings.map(({ code }) => code)).toContain('budget');
    expect(report.warnings.map(({ message }) => message).join()).toMatch(/done by quoting instead/);
    expect(report.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
    expect(report.claims.length).toBeGreaterThan(0);
    expect(markdown).toContain('## Walking');
    // What was done by quoting was no call.
    expect(report.usage.calls).toBeLessThan(bench.engine.calls.length);
    expect(report.usage.inputTokens + report.usage.outputTokens).toBeLessThanOrEqual(budget.maxTokens);
  });

  it('a run ends partial, with the reason, when a step cannot be carried out and nothing stands in for it', async () => {
    const problem = new StepFailedError('summarise', [{ path: 'summaries', message: 'none' }]);
    bench.play().failOnce('summarise', problem);
    const { run, status, markdown } = await ended(bench.report('failing'));
    expect(status).toBe('partial');
    expect((await bench.eventsOf('failing')).at(-1)).toMatchObject({ type: 'run-completed' });
    expect(markdown).toMatch(
      /Pass 0 could not be finished \(Step summarise gave an output that breaks its contract/,
    );
    expect(await run.progress()).toMatchObject({ status: 'partial' });
  });

  it('a run takes the longest waits and the largest limits that a start may name', async () => {
    bench.play();
    const most = Number.MAX_SAFE_INTEGER;
    const waits = { firstWaitMs: most, queueMs: most, heartbeatMs: most, attempts: 1_000_000 };
    const run = await bench.startRun('longest', {
      outages: { patienceMs: 604_800_000, afterwards: 'park', ...waits },
      budget: { maxTokens: most, maxCostUsd: Number.MAX_VALUE, maxTimeMs: most },
    });
    expect(await run.waitUntilClosed({ signal: AbortSignal.timeout(60_000) })).toEqual({
      status: 'completed',
    });
  });
});
