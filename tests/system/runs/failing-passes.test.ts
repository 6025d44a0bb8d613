import { ApplicationFailure } from '@temporalio/common';
import type { Report } from '../../../src/contracts/report/report';
import type { StepContext } from '../../../src/engines/engine';
import type { RunHandle } from '../../../src/client';
import type { ColligateWorker } from '../../../src/worker';
import type { CrossCheckInput, CrossCheckOutput } from '../../../src/steps/cross-check/contract';
import type { WriteSectionInput, WriteSectionOutput } from '../../../src/steps/write-section/contract';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';
import {
  createScriptedEngine,
  enginesThatFollow,
  type ScriptedEngine,
  type StepScript,
} from '../../support/scripted-engine';

/** Document 002's graceful degradation, and what its switches and limits do to a run, through a real server. */

let bench: RunBench;
let worker: ColligateWorker;
let current: ScriptedEngine;

beforeAll(async () => {
  bench = await openRunBench();
  worker = await bench.startWorker(enginesThatFollow(() => current));
});
afterAll(async () => {
  await worker.drain();
  await bench.close();
});

/** A failure that comes again whenever it is tried. */
function broken(what: string): StepScript {
  return () => {
    throw ApplicationFailure.nonRetryable(`the ${what} is out of order.`);
  };
}

/** The script with some of its steps replaced. */
function scripted(changes: Record<string, StepScript>): ScriptedEngine {
  return createScriptedEngine({ ...REPORT_SCRIPT, ...changes });
}

type Ended = { run: RunHandle; status: string; report: Report; markdown: string; engine: ScriptedEngine };

async function ended(
  runId: string,
  engine: ScriptedEngine,
  given: Parameters<RunBench['request']>[0] = {},
): Promise<Ended> {
  current = engine;
  const { run } = await bench.colligate.startReport(bench.request({ runId, ...given }));
  const { status } = await run.waitUntilClosed();
  const stored = await run.report();
  if (stored === null) throw new Error(`run ${runId} must have stored a report`);
  return { run, status, engine, ...stored };
}

/** Whatever failed, what a report cites and quotes stands in its sources. */
function expectSound({ report, markdown }: Ended): void {
  const numbers = new Set(report.citations.map(({ n }) => n));
  for (const [, n] of markdown.matchAll(/(?<!\\)\[(\d+)\]/g)) expect(numbers).toContain(Number(n));
  for (const { evidence } of report.claims) {
    for (const { n, quote, start, end } of evidence) {
      const id = report.citations.find((citation) => citation.n === n)?.sourceId;
      expect(SOURCES.find((source) => source.id === id)?.content.slice(start, end)).toBe(quote);
    }
  }
}

describe('a pass that fails', () => {
  it('pass 1: one section, with the question as its title', async () => {
    const run = await ended('pass-1', scripted({ outline: broken('planner') }));
    expect(run.status).toBe('partial');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Which habits help?']);
    expect(run.markdown).toMatch(/Pass 1 could not plan the report \(the planner is out of order\)/);
    expect(run.report.citations).toHaveLength(SOURCES.length);
    expect(run.report.warnings.map(({ code }) => code)).toContain('pass-failed');
    expectSound(run);
  });

  it('pass 1: the plan stands where sources cannot be scored', async () => {
    const run = await ended('pass-1-scores', scripted({ 'score-relevance': broken('scorer') }));
    expect(run.status).toBe('partial');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
    expect(run.markdown).toContain('could not be scored for the sections');
    expectSound(run);
  });

  it('pass 2, a section: that section rests on its summaries', async () => {
    const script: Record<string, StepScript> = {
      'extract-findings': (input: { section: { title: string } }, context: StepContext): unknown =>
        input.section.title === 'Tea'
          ? broken('reader')(input as never, context)
          : REPORT_SCRIPT['extract-findings']?.(input as never, context),
    };
    const run = await ended('pass-2-section', scripted(script));
    expect(run.status).toBe('partial');
    expect(run.markdown).toMatch(
      /Pass 2 could not read the sources of section 2 of 2 \(the reader is out of order\)/,
    );
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
    const tea = run.report.claims.filter(({ sectionId }) => sectionId === 'section-2');
    expect(tea.map(({ text }) => text).join(' ')).toContain('Green tea raised attention scores');
    // Pass 3 still holds what was found against the full texts.
    expect(run.report.sources).toMatchObject({ inFull: 4, retrievals: { requested: 2, found: 2 } });
    expectSound(run);
  });

  it('pass 2, the whole: the report from the outline and the summaries', async () => {
    const run = await ended('pass-2', scripted({ 'extract-findings': broken('reader') }));
    expect(run.status).toBe('partial');
    expect(run.markdown).toContain('so the report rests on the outline and the summaries');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
    expect(run.report.claims).toHaveLength(SOURCES.length);
    expect(run.report.sources.retrievals).toMatchObject({ requested: 0, found: 0 });
    expectSound(run);
  });

  it('pass 3: the findings stay, and are marked', async () => {
    const run = await ended('pass-3', scripted({ 'cross-check': broken('checker') }));
    expect(run.status).toBe('partial');
    expect(run.report.claims).toHaveLength(SOURCES.length);
    expect(run.report.claims.map(({ validated }) => validated)).toEqual([false, false, false, false]);
    expect(run.markdown).toMatch(/Pass 3 could not check the findings of section 1 of 2/);
    expectSound(run);
  });

  it('pass 4, a section: its findings as a list', async () => {
    const script: Record<string, StepScript> = {
      'write-section': (input: WriteSectionInput, context: StepContext): unknown =>
        input.section.title === 'Walking'
          ? broken('writer')(input as never, context)
          : REPORT_SCRIPT['write-section']?.(input as never, context),
    };
    const run = await ended('pass-4-section', scripted(script));
    expect(run.status).toBe('partial');
    expect(run.markdown).toMatch(/Pass 4 could not write section 1 of 2 .* its findings are listed instead/);
    expect(run.report.sections[0]?.markdown).toMatch(/^- .*Walking for 30 minutes[^]*\n- .*Evening walks/);
    expectSound(run);
  });

  it('pass 4, the whole: the findings as a structured list', async () => {
    const run = await ended(
      'pass-4',
      scripted({ 'write-section': broken('writer'), 'write-summary': broken('writer') }),
    );
    expect(run.status).toBe('partial');
    expect(run.report.title).toBe('Which habits help?');
    expect(run.report.claims).toHaveLength(SOURCES.length);
    for (const { markdown } of run.report.sections) expect(markdown).toMatch(/^- .*\n- /);
    expect(run.markdown).toContain('Pass 4 could not write the summary');
    expectSound(run);
  });

  it('everything at once still leaves what the sources say', async () => {
    const run = await ended(
      'pass-all',
      scripted(
        Object.fromEntries(
          ['outline', 'extract-findings', 'cross-check', 'write-section', 'write-summary'].map((step) => [
            step,
            broken(step),
          ]),
        ),
      ),
    );
    expect(run.status).toBe('partial');
    expect(run.report.claims).toHaveLength(SOURCES.length);
    expectSound(run);
  });
});

describe('an endpoint that cannot be used any more', () => {
  const unreachable: StepScript = () => {
    throw ApplicationFailure.nonRetryable('the endpoint is not reached.', 'ModelFailure.unreachable');
  };
  const outages = { patienceMs: 0, afterwards: 'fail' } as const;

  it('ends a run that is not to wait and has found nothing yet, so that the mistake is seen', async () => {
    current = scripted({ 'extract-findings': unreachable });
    const { run } = await bench.colligate.startReport(bench.request({ runId: 'unreachable-early', outages }));
    expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed', engineUnreachable: true });
  });

  it('does not take with it what was found before', async () => {
    const run = await ended(
      'unreachable-late',
      scripted({ 'cross-check': unreachable, 'write-section': unreachable, 'write-summary': unreachable }),
      { outages },
    );
    expect(run.status).toBe('partial');
    expect(run.report.claims).toHaveLength(SOURCES.length);
    expect(run.markdown).toContain('the endpoint is not reached');
    expectSound(run);
  });
});

describe('a section that cites too few sources', () => {
  const WRITES_ONE: StepScript = (input: WriteSectionInput, context) => {
    const told = REPORT_SCRIPT['write-section']?.(input as never, context) as WriteSectionOutput;
    if (input.lacking !== undefined || input.section.title !== 'Walking') return told;
    const claims = told.claims.slice(0, 1);
    return { markdown: claims.map(({ text }) => text).join('\n\n'), claims };
  };

  it('is written once more, with what it lacks, and its events tell the text that stands', async () => {
    const { report, status, engine, run } = await ended('revised', scripted({ 'write-section': WRITES_ONE }));
    expect(status).toBe('completed');
    expect(report.sections[0]?.citations).toHaveLength(2);
    const asked = engine.calls.filter(({ step }) => step === 'write-section');
    expect(asked).toHaveLength(3);
    const events = await bench.stores.events.read(run.runId);
    const revisions = events.flatMap((event) => (event.type === 'revision' ? [event.payload] : []));
    expect(revisions).toEqual([{ section: 'section-1', revision: 1, reason: 'It cites one source only.' }]);
  });

  it('keeps its first text where the second is no better', async () => {
    const script: StepScript = (input: WriteSectionInput, context) =>
      WRITES_ONE({ ...input, lacking: undefined } as never, context);
    const { report, engine } = await ended('revised-in-vain', scripted({ 'write-section': script }));
    expect(report.sections[0]?.citations).toHaveLength(1);
    expect(engine.calls.filter(({ step }) => step === 'write-section')).toHaveLength(3);
  });
});

describe('support for the findings that the report rests on most', () => {
  it('is sought where it lacks, and what is found is added to them', async () => {
    const script: Record<string, StepScript> = {
      'cross-check': (input: CrossCheckInput, context: StepContext): unknown => {
        const told = REPORT_SCRIPT['cross-check']?.(input as never, context) as CrossCheckOutput;
        if (input.section.id !== 'major-findings') return { ...told, conflicts: [] };
        const walk = input.sources.find(({ sourceId }) => sourceId === 'walk-2');
        const quote = 'It was spring.';
        const start = SOURCES.find(({ id }) => id === 'walk-2')?.content.indexOf(quote) ?? -1;
        expect(walk?.passages.map(({ text }) => text).join(' ')).toContain(quote);
        const supporting = [{ sourceId: 'walk-2', quote, start, end: start + quote.length }];
        const checks = told.checks.map((check) =>
          check.findingId === 'section-1-finding-1' ? { ...check, supporting } : check,
        );
        return { checks, conflicts: [], gaps: [] };
      },
    };
    const run = await ended('support', scripted(script));
    const sought = run.engine.calls.filter(({ step }) => step === 'cross-check').at(-1);
    // However sure a finding is: support is what it lacks.
    expect(sought?.input).toMatchObject({ section: { id: 'major-findings' }, checkAll: true });
    const claim = run.report.claims.find(({ text }) => text.startsWith('Walking for 30 minutes'));
    const cited = run.report.citations.filter(({ n }) => claim?.citations.includes(n));
    expect(cited.map(({ sourceId }) => sourceId)).toEqual(['walk-1', 'walk-2']);
    expect(claim?.confidence).toBe(0.85);
    // The others found none, are listed, and are not filled up.
    expect(run.report.citationReport.weakMajorClaims.map(({ citations }) => citations)).toEqual([2, 1, 1, 1]);
    expectSound(run);
  });
});

describe('settings', () => {
  const synthesis = (
    changes: Partial<RunBench['config']['synthesis']>,
  ): { synthesis: RunBench['config']['synthesis'] } => ({
    synthesis: { ...bench.config.synthesis, ...changes },
  });

  it('enableMultiPass false: one section from an excerpt of every source, not cross-checked', async () => {
    const run = await ended('single', scripted({}), synthesis({ enableMultiPass: false }));
    expect(run.status).toBe('completed');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Which habits help?']);
    expect(new Set(run.engine.calls.map(({ step }) => step))).toEqual(
      new Set(['summarise', 'extract-findings', 'write-section', 'write-summary']),
    );
    expect(run.report.claims.every(({ validated }) => !validated)).toBe(true);
    // No more of a source was read than a summary has.
    expect(run.report.sources).toMatchObject({ total: 4, inFull: 0, bySummary: 4, unused: 0 });
    expectSound(run);
  });

  it('enableCrossReference false: nothing is held against further sources', async () => {
    const run = await ended('no-cross', scripted({}), synthesis({ enableCrossReference: false }));
    expect(run.status).toBe('completed');
    expect(run.engine.calls.some(({ step }) => step === 'cross-check')).toBe(false);
    expect(run.report.claims.map(({ confidence }) => confidence)).toEqual([0.7, 0.7, 0.7, 0.7]);
  });

  it('enableFactChecking and enableConflictDetection reach the check', async () => {
    const given = synthesis({ enableFactChecking: false, enableConflictDetection: false });
    const { engine } = await ended('switches', scripted({}), given);
    const checks = engine.calls.filter(({ step }) => step === 'cross-check');
    // One for each section, and one that seeks support for the major findings.
    expect(checks).toHaveLength(3);
    for (const { input } of checks)
      expect(input).toMatchObject({ factChecking: false, detectConflicts: false });
  });

  it('pass1SummaryCount: as many summaries as it says, nearest to the question', async () => {
    const { engine } = await ended('few-summaries', scripted({}), synthesis({ pass1SummaryCount: 3 }));
    const [outline] = engine.calls.filter(({ step }) => step === 'outline');
    expect((outline?.input as { sources: unknown[] }).sources).toHaveLength(3);
    const scored = engine.calls.filter(({ step }) => step === 'score-relevance');
    expect(scored.flatMap(({ input }) => (input as { sources: unknown[] }).sources)).toHaveLength(4);
  });

  it('pass2FullContentCount and pass3CrossRefCount: how many sources a section reads, and is checked against', async () => {
    const given = synthesis({ pass2FullContentCount: 1, pass3CrossRefCount: 1 });
    const { engine } = await ended('few-read', scripted({}), given);
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
    const run = await ended('rules', scripted({}), synthesis({ sourceQualityRules: rules }));
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
    current = {
      ...engine,
      run: (step, input, context) => {
        const name = context.models?.[step.role] ?? 'none';
        asked.set(step.name, (asked.get(step.name) ?? new Set()).add(name));
        return engine.run(step, input, context);
      },
    };
    const models = {
      ...{ fast: model('fast'), strong: model('strong'), critic: model('critic') },
      ...{ overview: model('planner'), deepDive: model('digger') },
    };
    const request = bench.request({ runId: 'models', engine: 'openai', models });
    const { run } = await bench.colligate.startReport(request);
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(Object.fromEntries([...asked].map(([step, names]) => [step, [...names]]))).toEqual({
      outline: ['planner'],
      'score-relevance': ['planner'],
      'extract-findings': ['digger'],
      'cross-check': ['digger'],
      'write-section': ['digger'],
      'write-summary': ['digger'],
    });
    expect((await run.report())?.report.provenance.models).toEqual({
      ...{ fast: 'fast', strong: 'strong', critic: 'critic', overview: 'planner', deepDive: 'digger' },
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
    current = engine;
    const models = { fast: small, strong: { ...small, contextTokens: 128_000 }, critic: small };
    const request = bench.request({ runId: 'in-parts', engine: 'openai', models });
    const { run } = await bench.colligate.startReport(request);
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
