import type { OutlineInput } from '../../../src/steps/outline/contract';
import type { RunBench } from '../../support/run-bench';
import { openScriptedBench } from '../../support/run-bench';
import { asked, ended, type EndedRun } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { planOfOne, SOURCES } from '../../support/report-script';
import { expectSound } from './expect-sound';

/** What document 002's switches and limits do to a run, through a real server. */

const bench = forAllTests(openScriptedBench);

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
    new Set(['summarise', 'extract-findings', 'write-section', 'write-summary', 'judge']),
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
    outline: ['planner'],
    'extract-findings': ['digger'],
    'cross-check': ['digger'],
    'write-section': ['digger'],
    'write-summary': ['digger'],
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
