import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import type { RunBench } from '../../support/run-bench';
import { createScriptedEngine } from '../../support/scripted-engine';
import { ended, expectSound, scripted } from './ended-run';
import { useScriptedRuns } from './scripted-runs';

/** What document 002's switches and limits do to a run, through a real server. */

const runs = useScriptedRuns();

describe('settings', () => {
  const synthesis = (
    changes: Partial<RunBench['config']['synthesis']>,
  ): { synthesis: RunBench['config']['synthesis'] } => ({
    synthesis: { ...runs.bench.config.synthesis, ...changes },
  });

  it('enableMultiPass false: one section from an excerpt of every source, not cross-checked', async () => {
    const run = await ended(runs, 'single', scripted({}), synthesis({ enableMultiPass: false }));
    expect(run.status).toBe('completed');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Which habits help?']);
    expect(new Set(run.engine.calls.map(({ step }) => step))).toEqual(
      new Set(['summarise', 'extract-findings', 'write-section', 'write-summary', 'judge']),
    );
    expect(run.report.claims.every(({ validated }) => !validated)).toBe(true);
    // No more of a source was read than a summary has.
    expect(run.report.sources).toMatchObject({ total: 4, inFull: 0, bySummary: 4, unused: 0 });
    expectSound(run);
  });

  it('enableCrossReference false: nothing is held against further sources', async () => {
    const run = await ended(runs, 'no-cross', scripted({}), synthesis({ enableCrossReference: false }));
    expect(run.status).toBe('completed');
    expect(run.engine.calls.some(({ step }) => step === 'cross-check')).toBe(false);
    expect(run.report.claims.map(({ confidence }) => confidence)).toEqual([0.7, 0.7, 0.7, 0.7]);
  });

  it('enableFactChecking and enableConflictDetection reach the check', async () => {
    const given = synthesis({ enableFactChecking: false, enableConflictDetection: false });
    const { engine } = await ended(runs, 'switches', scripted({}), given);
    const checks = engine.calls.filter(({ step }) => step === 'cross-check');
    // One for each section, and one that seeks support for the major findings.
    expect(checks).toHaveLength(3);
    for (const { input } of checks)
      expect(input).toMatchObject({ factChecking: false, detectConflicts: false });
  });

  it('pass1SummaryCount: as many summaries as it says, nearest to the question', async () => {
    const { engine } = await ended(runs, 'few-summaries', scripted({}), synthesis({ pass1SummaryCount: 3 }));
    const [outline] = engine.calls.filter(({ step }) => step === 'outline');
    expect((outline?.input as { sources: unknown[] }).sources).toHaveLength(3);
    const scored = engine.calls.filter(({ step }) => step === 'score-relevance');
    expect(scored.flatMap(({ input }) => (input as { sources: unknown[] }).sources)).toHaveLength(4);
  });

  it('pass2FullContentCount and pass3CrossRefCount: how many sources a section reads, and is checked against', async () => {
    const given = synthesis({ pass2FullContentCount: 1, pass3CrossRefCount: 1 });
    const { engine } = await ended(runs, 'few-read', scripted({}), given);
    const read = (step: string): number[] =>
      engine.calls
        .filter((call) => call.step === step)
        .map(({ input }) => (input as { sources: unknown[] }).sources.length);
    expect(read('extract-findings')).toEqual([1, 1]);
    // The source that each finding came from, and one more at most; the last check is on the findings of both sections.
    const [one = 0, other = 0, major = 0] = read('cross-check');
    expect(Math.max(one, other)).toBeLessThanOrEqual(2);
    expect(major).toBeLessThanOrEqual(3);
  });

  it('sourceQualityRules: who stands behind an address, with the reason', async () => {
    const rules = [{ level: 'authoritative' as const, reason: 'our own archive', domains: ['example.org'] }];
    const run = await ended(runs, 'rules', scripted({}), synthesis({ sourceQualityRules: rules }));
    expect(run.report.citations.map(({ quality }) => quality)).toEqual(
      SOURCES.map(() => ({ level: 'authoritative', reason: 'example.org: our own archive' })),
    );
    expect(run.markdown).toContain('our own archive');
  });

  it('overviewModel and deepdiveModel: each pass asks its own model', async () => {
    const model = (name: string): { name: string; contextTokens: number; price: null } => ({
      name,
      contextTokens: 128_000,
      price: null,
    });
    const asked = new Map<string, Set<string>>();
    const engine = createScriptedEngine(REPORT_SCRIPT, { name: 'openai' });
    runs.engine = {
      ...engine,
      run: (step, input, context) => {
        const name = context.models?.[step.role] ?? 'none';
        asked.set(step.name, (asked.get(step.name) ?? new Set()).add(name));
        return engine.run(step, input, context);
      },
    };
    const models = {
      fast: model('fast'),
      strong: model('strong'),
      critic: model('critic'),
      overview: model('planner'),
      deepDive: model('digger'),
    };
    const request = runs.bench.request({ runId: 'models', engine: 'openai', models });
    const { run } = await runs.bench.colligate.startReport(request);
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(Object.fromEntries([...asked].map(([step, names]) => [step, [...names]]))).toEqual({
      outline: ['planner'],
      'extract-findings': ['digger'],
      'cross-check': ['digger'],
      'write-section': ['digger'],
      'write-summary': ['digger'],
      judge: ['critic'],
    });
    expect((await run.report())?.report.provenance.models).toEqual({
      fast: 'fast',
      strong: 'strong',
      critic: 'critic',
      overview: 'planner',
      deepDive: 'digger',
    });
  });

  it('more summaries than a model’s window takes are planned in parts, and joined', async () => {
    const small = { name: 'small', contextTokens: 3_000, price: null };
    const engine = createScriptedEngine(
      {
        ...REPORT_SCRIPT,
        outline: ({ sources }: { sources: { sourceId: string }[] }) => ({
          overallTheme: 'A part.',
          sections: [
            {
              id: 'section-1',
              title: sources[0]?.sourceId.startsWith('walk') === true ? 'Walking' : 'Tea',
              description: 'A part of the sources.',
              subsections: [],
              relevantSources: sources.map(({ sourceId }) => ({ sourceId, relevance: 0.8 })),
            },
          ],
        }),
        'merge-outlines': ({ plans }: { plans: { sections: object[] }[] }) => ({
          overallTheme: 'All of it.',
          sections: plans.map(({ sections }, at) => ({ ...sections[0], id: `section-${at + 1}` })),
        }),
      },
      { name: 'openai' },
    );
    runs.engine = engine;
    const models = { fast: small, strong: { ...small, contextTokens: 128_000 }, critic: small };
    const request = runs.bench.request({ runId: 'in-parts', engine: 'openai', models });
    const { run } = await runs.bench.colligate.startReport(request);
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const plans = engine.calls.filter(({ step }) => step === 'outline');
    expect(plans.map(({ input }) => (input as { sources: unknown[] }).sources.length)).toEqual([2, 2]);
    expect(engine.calls.filter(({ step }) => step === 'merge-outlines')).toHaveLength(1);
    const outline = await run.outline();
    expect(outline?.overallTheme).toBe('All of it.');
    expect(outline?.sections.map(({ id, title }) => [id, title])).toEqual([
      ['section-1', 'Walking'],
      ['section-2', 'Tea'],
    ]);
    for (const { sourceScores } of outline?.sections ?? [])
      expect(sourceScores.map(({ sourceId }) => sourceId).sort()).toEqual(SOURCES.map(({ id }) => id).sort());
  });
});
