import type { ReportRequest } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/run/event';
import type { OutlinePlan } from '../../../src/contracts/report/outline';
import { passMarkdown } from '../../../src/client/pass-results/pass-markdown';
import type { ExtractFindingsInput } from '../../../src/steps/extract-findings/contract';
import type { OutlineInput } from '../../../src/steps/outline/contract';
import { ended, type EndedRun } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { planOfOne, SOURCES } from '../../support/report-script';
import { openScriptedBench } from '../../support/run-bench';
import type { StepScript } from '../../support/scripted-engine';

/** A run whose sources have nothing on its question, through a real server. */

const bench = forAllTests(openScriptedBench);

const QUESTION = 'Which habits help?';
const WARNING = { code: 'no-answer', message: `No source addresses “${QUESTION}”.` };

const nothingPlanned = ({ sources }: OutlineInput): OutlinePlan => ({
  overallTheme: 'Nothing on it.',
  sections: [],
  unanswered: { nearest: sources.map(({ sourceId }) => sourceId).slice(0, 3) },
});
const nothingFound = ({ section }: ExtractFindingsInput): unknown => ({
  sectionId: section.id,
  findings: [],
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
    /## Executive Summary\n\nNo source addresses “Which habits help\?”\. Nearest are: “/,
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

  it('as reading the sections shows: none of them is checked or written', async () => {
    const found = await told('nothing-found', { 'extract-findings': nothingFound });
    expectUnanswered(found, SOURCES.length);
    expect(found.steps).toEqual(['summarise', 'outline', 'score-relevance', 'extract-findings']);
    expect(await found.run.passResult('deep-dive')).toHaveLength(2);
  });

  it('also in a single pass', async () => {
    const synthesis = { ...bench.config.synthesis, enableMultiPass: false };
    const found = await told('in-one-pass', { 'extract-findings': nothingFound }, { synthesis });
    expectUnanswered(found, SOURCES.length);
  });

  it('goes on where its history is begun anew behind every pass', async () => {
    bench.play({ outline: nothingPlanned });
    const { status, report } = await ended(bench.startRun('continued', { continueAsNewAfterEvents: 1 }));
    expect(status).toBe('partial');
    expect(report.warnings).toEqual([WARNING]);
  });
});

describe('plans of parts of the sources', () => {
  const small = { name: 'small', contextTokens: 3_000, price: null };
  const models = { fast: small, strong: { ...small, contextTokens: 128_000 }, critic: small };
  const inParts = { engine: 'openai', models } as const;

  it('have an answer where one of them has, and need no joining', async () => {
    const outline = (input: OutlineInput): OutlinePlan =>
      input.sources[0]?.sourceId.startsWith('walk') === true ? planOfOne(input) : nothingPlanned(input);
    const found = await told('one-part', { outline }, inParts);
    expect(found.status).toBe('completed');
    expect(found.report.sections.map(({ title }) => title)).toEqual(['Walking']);
    expect(found.steps).not.toContain('merge-outlines');
    expect(found.report.warnings).toEqual([]);
  });

  it('are unanswered where none of them answers', async () => {
    const found = await told('no-part', { outline: nothingPlanned }, inParts);
    expectUnanswered(found, SOURCES.length);
    expect(found.steps).toEqual(['outline']);
  });
});
