import { ApplicationFailure } from '@temporalio/common';
import type { RunEvent } from '../../../src/contracts/event';
import type { Report } from '../../../src/contracts/report';
import { RUN_SHAPE } from '../../../src/contracts/run-protocol';
import type { ReportRunInput } from '../../../src/contracts/start';
import type { CrossCheckInput, CrossCheckOutput } from '../../../src/steps/cross-check';
import type { WriteSectionInput, WriteSectionOutput } from '../../../src/steps/write-rows';
import { asked, ended, type EndedRun, reaches, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { pendingActivities } from '../../support/pending-activities';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { activitiesIn, openScriptedBench } from '../../support/run-bench';
import type { StepScript } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { expectSound } from './expect-sound';

/** What the worker waits for after it has appended an event, by the run and the event's type. */
const holds = new Map<string, () => Promise<void>>();

const bench = forAllTests(() =>
  openScriptedBench((runId, { type }) => holds.get(`${runId} ${type}`)?.() ?? Promise.resolve()),
);

describe('failing passes', () => {
  /** Document 002's graceful degradation, through a real server. */

  /** A failure that comes again whenever it is tried. */
  function broken(what: string): StepScript {
    return () => {
      throw ApplicationFailure.nonRetryable(`the ${what} is out of order.`);
    };
  }

  /** The same, for the section of that title alone. */
  function brokenFor(wanted: string, step: string, what: string): Record<string, StepScript> {
    const script: StepScript = (input: { section: { title: string } }, context) =>
      (input.section.title === wanted ? broken(what) : REPORT_SCRIPT[step])?.(input as never, context);
    return { [step]: script };
  }

  const titlesOf = ({ sections }: Report): string[] => sections.map(({ title }) => title);

  /** Whose title says the pass; a report that is partial and sound, with these words and sections, comes of each. */
  const FAILING: [string, Record<string, StepScript>, RegExp, string[], object?][] = [
    [
      'pass 1: one section, with the question as its title',
      { outline: broken('planner') },
      /Pass 1 could not plan the report \(the planner is out of order\)/,
      ['Which habits help?'],
      { warnings: expect.arrayContaining([expect.objectContaining({ code: 'pass-failed' })]) as unknown },
    ],
    [
      'pass 1: the plan stands where sources cannot be scored',
      { 'score-relevance': broken('scorer') },
      /could not be scored for the sections/,
      ['Walking', 'Tea'],
    ],
    [
      'pass 2, a section: that section rests on its summaries',
      brokenFor('Tea', 'extract-findings', 'reader'),
      /Green tea raised attention scores[^]*Pass 2 could not read the sources of section 2 of 2 \(the reader is out of order\)/,
      ['Walking', 'Tea'],
      // Pass 3 still holds what was found against the full texts.
      { sources: { inFull: 4, retrievals: { requested: 2, found: 2 } } },
    ],
    [
      'pass 2, the whole: the report from the outline and the summaries',
      { 'extract-findings': broken('reader') },
      /so the report rests on the outline and the summaries/,
      ['Walking', 'Tea'],
      { sources: { retrievals: { requested: 0, found: 0 } } },
    ],
    [
      'pass 3: the findings stay, and are marked',
      { 'cross-check': broken('checker') },
      /Pass 3 could not check the findings of section 1 of 2/,
      ['Walking', 'Tea'],
      { claims: SOURCES.map(() => ({ validated: false })) },
    ],
    [
      'pass 4, a section: its findings as a list',
      brokenFor('Walking', 'write-section', 'writer'),
      /Pass 4 could not write section 1 of 2 .* its findings are listed instead/,
      ['Walking', 'Tea'],
      { sections: [listed(/^- .*Walking for 30 minutes[^]*\n- .*Evening walks/), {}] },
    ],
    [
      'pass 4, the whole: the findings as a structured list',
      { 'write-section': broken('writer'), 'write-summary': broken('writer') },
      /Pass 4 could not write the summary/,
      ['Walking', 'Tea'],
      { title: 'Which habits help?', sections: [listed(/^- .*\n- /), listed(/^- .*\n- /)] },
    ],
    [
      'everything at once still leaves what the sources say',
      Object.fromEntries(
        ['outline', 'extract-findings', 'cross-check', 'write-section', 'write-summary'].map((step) => [
          step,
          broken(step),
        ]),
      ),
      /Pass 1 could not plan the report/,
      ['Which habits help?'],
    ],
  ];

  function listed(pattern: RegExp): object {
    return { markdown: expect.stringMatching(pattern) as string };
  }

  describe('a pass that fails', () => {
    it.each(FAILING)('%s', async (title, changes, told, sections, more = {}) => {
      bench.play(changes);
      const run = await ended(bench.report(title));
      expect(run.status).toBe('partial');
      expect(run.markdown).toMatch(told);
      expect(titlesOf(run.report)).toEqual(sections);
      expect(run.report.claims).toHaveLength(SOURCES.length);
      expect(run.report.citations).toHaveLength(SOURCES.length);
      expect(run.report).toMatchObject(more);
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
    const citedAfter = async (runId: string, script: StepScript): Promise<number | undefined> => {
      bench.play({ 'write-section': script });
      const { report, status } = await ended(bench.report(runId));
      expect(status).toBe('completed');
      expect(asked(bench, 'write-section')).toHaveLength(3);
      return report.sections[0]?.citations.length;
    };

    it('is written once more, with what it lacks', async () => {
      expect(await citedAfter('revised', WRITES_ONE)).toBe(2);
    });

    it('keeps its first text where the second is no better', async () => {
      const script: StepScript = (input: WriteSectionInput, context) =>
        WRITES_ONE({ ...input, lacking: undefined } as never, context);
      expect(await citedAfter('revised-in-vain', script)).toBe(1);
    });
  });

  it('support for the findings that the report rests on most is sought where it lacks, and is added to them', async () => {
    bench.play({
      'cross-check': (input: CrossCheckInput, context): unknown => {
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
    });
    const run: EndedRun = await ended(bench.report('support'));
    // However sure a finding is: support is what it lacks.
    expect(asked(bench, 'cross-check').at(-1)).toMatchObject({
      section: { id: 'major-findings' },
      checkAll: true,
    });
    const claim = run.report.claims.find(({ text }) => text.startsWith('Walking for 30 minutes'));
    const cited = run.report.citations.filter(({ n }) => claim?.citations.includes(n));
    expect(cited.map(({ sourceId }) => sourceId)).toEqual(['walk-1', 'walk-2']);
    expect(claim?.confidence).toBe(0.85);
    // The others found none, are listed, and are not filled up.
    expect(run.report.citationReport.weakMajorClaims.map(({ citations }) => citations)).toEqual([2, 1, 1, 1]);
    expectSound(run);
  });
});

describe('pause and cancel', () => {
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

  describe('pausing', () => {
    it('lets what is under way finish, begins nothing, and goes on when resumed', async () => {
      const hold = bench.play().hold('extract-findings');
      const run = await bench.report('paused');
      await hold.reached;
      await run.pause();
      await reaches(run, 'pausing');
      hold.release();
      await reaches(run, 'paused');
      expect(asked(bench, 'cross-check')).toEqual([]);
      const read = (await bench.eventsOf('paused')).filter(({ type }) => type === 'deep-dive-section');
      expect(read).toHaveLength(2);
      await run.resume();
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    });

    it('holds over continue-as-new', async () => {
      bench.play();
      const planned = holdAfter('paused-over', 'outline-generated');
      const run = await bench.startRun('paused-over', { continueAsNewAfterEvents: 1 });
      await planned.reached;
      const execution = async (): Promise<string> =>
        (await bench.client.workflow.getHandle('paused-over').describe()).runId;
      const before = await execution();
      await run.pause();
      planned.release();
      await until(execution, (now) => now !== before);
      await reaches(run, 'paused');
      expect(asked(bench, 'extract-findings')).toEqual([]);
      await run.resume();
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    });

    it('does not keep a run from being cancelled', async () => {
      const hold = bench.play().hold('outline');
      const run = await bench.report('paused-cancelled');
      await hold.reached;
      await run.pause();
      hold.release();
      await reaches(run, 'paused');
      await run.cancel();
      expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
    });
  });

  describe('cancelling', () => {
    it.each([
      ['before the outline', 'outline', '', []],
      ['in the deep dive', 'extract-findings', '"Tea"', ['Walking']],
      ['while sections are written', 'write-section', '"Tea"', ['Walking', 'Tea']],
    ])('leaves a partial report: %s', async (_when, step, text, sections) => {
      const runId = `cancelled-${step}`;
      const hold = bench.play().hold(step, text);
      const run = await bench.report(runId);
      await hold.reached;
      if (text !== '') await seen(run, ({ section }) => section?.index === 1);
      await run.cancel();
      const { status, report, markdown } = await ended(run);
      expect([status, report.status]).toEqual(['cancelled', 'cancelled']);
      expect((await bench.client.workflow.getHandle(runId).describe()).status.name).toBe('CANCELLED');
      expect(report.sections.map(({ title }) => title)).toEqual(sections);
      expect(markdown).toContain('The run was cancelled before it was finished.');
      if (text !== '')
        expect(markdown).toContain('Evening walks made 25 students fall asleep 12 minutes earlier');
      expect((await bench.eventsOf(runId)).at(-1)).toMatchObject({
        type: 'run-completed',
        payload: { status: 'cancelled' },
      });
      expect(await run.progress()).toMatchObject({ status: 'cancelled' });
    });
  });
});

describe('work in batches and histories', () => {
  /** Runs whose work is cut up: the bench's four sources make four batches, in two rounds of two. */
  const IN_ROUNDS: Partial<ReportRunInput> = {
    shape: { ...RUN_SHAPE, sourcesABatch: 1, mostBatches: 4, atOnce: 2, round: 2 },
  };

  /** What the run's activity under way has said last. */
  async function beatOf(runId: string): Promise<unknown> {
    const { raw } = await bench.client.workflow.getHandle(runId).describe();
    const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
    return payload?.data ? JSON.parse(Buffer.from(payload.data).toString()) : null;
  }

  it('has no more under way than its shape says, and a pause takes effect within that', async () => {
    const hold = bench.play().hold('summarise');
    const run = await bench.startRun('bounded', IN_ROUNDS);
    await hold.reached;
    expect(await pendingActivities(bench.client, 'bounded')).toHaveLength(2);
    await run.pause();
    await reaches(run, 'pausing');
    hold.release();
    await reaches(run, 'paused');
    expect(asked(bench, 'summarise')).toHaveLength(2);
    expect(await pendingActivities(bench.client, 'bounded')).toEqual([]);
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(asked(bench, 'summarise')).toHaveLength(4);
  });

  it('goes on in a new history within a pass, to the same report, and says what its activities are at', async () => {
    const hold = bench.play().hold('outline');
    const whole = await bench.startRun('whole', {});
    await hold.reached;
    expect(
      await until(
        () => beatOf('whole'),
        (said) => said !== null,
      ),
    ).toMatchObject({ doing: 'outline' });
    hold.release();
    const { status, markdown } = await ended(whole);
    expect(status).toBe('completed');

    bench.play();
    const split = await ended(bench.startRun('in-rounds', { ...IN_ROUNDS, continueAsNewAfterEvents: 1 }));
    expect(split).toMatchObject({ status: 'completed', markdown });
    const [first = []] = await bench.historiesOf('in-rounds');
    expect(activitiesIn(first).join(' ')).toBe(
      'admitRun recordEvents summariseBatch summariseBatch listArtifacts',
    );
    expect(first.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
    expect(asked(bench, 'summarise')).toHaveLength(4);
    const phases = (await bench.eventsOf('in-rounds')).filter(({ type }) => type === 'multi-pass-phase');
    expect(phases).toHaveLength(5);
  });
});
