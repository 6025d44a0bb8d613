import { ApplicationFailure } from '@temporalio/common';
import type { StepContext } from '../../../src/engines/engine';
import type { CrossCheckInput, CrossCheckOutput } from '../../../src/steps/cross-check/contract';
import type { WriteSectionInput, WriteSectionOutput } from '../../../src/steps/write-section/contract';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { type StepScript } from '../../support/scripted-engine';
import { broken, ended, expectSound, scripted } from './ended-run';
import { useScriptedRuns } from './scripted-runs';

/** Document 002's graceful degradation, through a real server. */

const runs = useScriptedRuns();

describe('a pass that fails', () => {
  it('pass 1: one section, with the question as its title', async () => {
    const run = await ended(runs, 'pass-1', scripted({ outline: broken('planner') }));
    expect(run.status).toBe('partial');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Which habits help?']);
    expect(run.markdown).toMatch(/Pass 1 could not plan the report \(the planner is out of order\)/);
    expect(run.report.citations).toHaveLength(SOURCES.length);
    expect(run.report.warnings.map(({ code }) => code)).toContain('pass-failed');
    expectSound(run);
  });

  it('pass 1: the plan stands where sources cannot be scored', async () => {
    const run = await ended(runs, 'pass-1-scores', scripted({ 'score-relevance': broken('scorer') }));
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
    const run = await ended(runs, 'pass-2-section', scripted(script));
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
    const run = await ended(runs, 'pass-2', scripted({ 'extract-findings': broken('reader') }));
    expect(run.status).toBe('partial');
    expect(run.markdown).toContain('so the report rests on the outline and the summaries');
    expect(run.report.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
    expect(run.report.claims).toHaveLength(SOURCES.length);
    expect(run.report.sources.retrievals).toMatchObject({ requested: 0, found: 0 });
    expectSound(run);
  });

  it('pass 3: the findings stay, and are marked', async () => {
    const run = await ended(runs, 'pass-3', scripted({ 'cross-check': broken('checker') }));
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
    const run = await ended(runs, 'pass-4-section', scripted(script));
    expect(run.status).toBe('partial');
    expect(run.markdown).toMatch(/Pass 4 could not write section 1 of 2 .* its findings are listed instead/);
    expect(run.report.sections[0]?.markdown).toMatch(/^- .*Walking for 30 minutes[^]*\n- .*Evening walks/);
    expectSound(run);
  });

  it('pass 4, the whole: the findings as a structured list', async () => {
    const run = await ended(
      runs,
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
      runs,
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
    runs.engine = scripted({ 'extract-findings': unreachable });
    const { run } = await runs.bench.colligate.startReport(
      runs.bench.request({ runId: 'unreachable-early', outages }),
    );
    expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed', engineUnreachable: true });
  });

  it('does not take with it what was found before', async () => {
    const run = await ended(
      runs,
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
    const { report, status, engine, run } = await ended(
      runs,
      'revised',
      scripted({ 'write-section': WRITES_ONE }),
    );
    expect(status).toBe('completed');
    expect(report.sections[0]?.citations).toHaveLength(2);
    const asked = engine.calls.filter(({ step }) => step === 'write-section');
    expect(asked).toHaveLength(3);
    const events = await runs.bench.stores.events.read(run.runId);
    const revisions = events.flatMap((event) => (event.type === 'revision' ? [event.payload] : []));
    expect(revisions).toEqual([{ section: 'section-1', revision: 1, reason: 'It cites one source only.' }]);
  });

  it('keeps its first text where the second is no better', async () => {
    const script: StepScript = (input: WriteSectionInput, context) =>
      WRITES_ONE({ ...input, lacking: undefined } as never, context);
    const { report, engine } = await ended(runs, 'revised-in-vain', scripted({ 'write-section': script }));
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
    const run = await ended(runs, 'support', scripted(script));
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
