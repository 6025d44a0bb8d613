import type { RunHandle } from '../../../src/client';
import type { RunEvent } from '../../../src/contracts/run/event';
import type { OutlinePlan } from '../../../src/contracts/report/outline';
import type { Report } from '../../../src/contracts/report/report';
import { passMarkdown } from '../../../src/client/pass-results/pass-markdown';
import type {
  ExtractFindingsInput,
  ExtractFindingsOutput,
} from '../../../src/steps/extract-findings/contract';
import type { OutlineInput } from '../../../src/steps/outline/contract';
import type { ColligateWorker } from '../../../src/worker';
import { REPORT_SCRIPT, SOURCES } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';
import {
  createScriptedEngine,
  enginesThatFollow,
  type ScriptedEngine,
  type StepScript,
} from '../../support/scripted-engine';

/** A run whose sources have nothing on its question, through a real server. */

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

const QUESTION = 'Which habits help?';
const SENTENCE = `No source addresses “${QUESTION}”.`;

const nothingPlanned = ({ sources }: OutlineInput): OutlinePlan => ({
  overallTheme: 'Nothing on it.',
  sections: [],
  unanswered: { nearest: sources.map(({ sourceId }) => sourceId).slice(0, 3) },
});

interface Ended {
  run: RunHandle;
  status: string;
  report: Report;
  markdown: string;
  events: RunEvent[];
  steps: string[];
}

async function ended(
  runId: string,
  changes: Record<string, StepScript>,
  given: Parameters<RunBench['request']>[0] = {},
): Promise<Ended> {
  current = createScriptedEngine({ ...REPORT_SCRIPT, ...changes });
  const { run } = await bench.colligate.startReport(bench.request({ runId, ...given }));
  const { status } = await run.waitUntilClosed();
  const stored = await run.report();
  if (stored === null) throw new Error(`run ${runId} must have stored a report`);
  const events: RunEvent[] = [];
  for await (const event of run.events()) events.push(event);
  return { run, status, ...stored, events, steps: [...new Set(current.calls.map(({ step }) => step))] };
}

/** One sentence, nearest sources that are cited, no sections, the question as the gap, a warning, and no word on citations. */
function expectUnanswered({ status, report, markdown, events }: Ended, nearest: number): void {
  expect(status).toBe('partial');
  expect(report).toMatchObject({
    status: 'partial',
    title: QUESTION,
    sections: [],
    claims: [],
    gaps: [QUESTION],
    warnings: [{ code: 'no-answer', message: SENTENCE }],
  });
  expect(markdown).toMatch(
    /## Executive Summary\n\nNo source addresses “Which habits help\?”\. Nearest are: “/,
  );
  expect(markdown).not.toMatch(/wanted|minimum/);
  expect(report.citations).toHaveLength(nearest);
  expect(markdown.match(/^- \[\d\] /gm)).toHaveLength(nearest);
  expect(events.filter(({ type }) => type === 'warning').map(({ payload }) => payload)).toEqual([
    { code: 'no-answer', message: SENTENCE },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'run-completed', payload: { status: 'partial' } });
}

describe('a run where nothing answers', () => {
  it('as the outline says: no section is scored, read, checked or written', async () => {
    const found = await ended('nothing-planned', { outline: nothingPlanned });
    expectUnanswered(found, 3);
    expect(found.steps).toEqual(['summarise', 'outline']);
    expect(found.events.find(({ type }) => type === 'outline-generated')?.payload).toEqual({
      overallTheme: 'Nothing on it.',
      sections: [],
    });
  });

  it('leaves an outline that names the nearest sources, and nothing of the passes behind it', async () => {
    const run = bench.colligate.run('nothing-planned');
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
    const nothing = ({ section }: ExtractFindingsInput): ExtractFindingsOutput => ({
      sectionId: section.id,
      findings: [],
    });
    const found = await ended('nothing-found', { 'extract-findings': nothing });
    expectUnanswered(found, SOURCES.length);
    expect(found.steps).toEqual(['summarise', 'outline', 'score-relevance', 'extract-findings']);
    expect(await found.run.passResult('deep-dive')).toHaveLength(2);
  });

  it('also in a single pass', async () => {
    const nothing = ({ section }: ExtractFindingsInput): ExtractFindingsOutput => ({
      sectionId: section.id,
      findings: [],
    });
    const synthesis = { ...bench.config.synthesis, enableMultiPass: false };
    expectUnanswered(
      await ended('nothing-in-one-pass', { 'extract-findings': nothing }, { synthesis }),
      SOURCES.length,
    );
  });

  it('goes on where its history is begun anew behind every pass', async () => {
    current = createScriptedEngine({ ...REPORT_SCRIPT, outline: nothingPlanned });
    const run = await bench.startRun('nothing-continued', { continueAsNewAfterEvents: 1 });
    expect(await run.waitUntilClosed()).toMatchObject({ status: 'partial' });
    expect((await run.report())?.report.warnings).toEqual([{ code: 'no-answer', message: SENTENCE }]);
  });
});

describe('plans of parts of the sources', () => {
  const small = { name: 'small', contextTokens: 3_000, price: null };
  const models = { fast: small, strong: { ...small, contextTokens: 128_000 }, critic: small };
  const inParts = { engine: 'openai', models } as const;

  it('have an answer where one of them has, and need no joining', async () => {
    const outline = (input: OutlineInput): OutlinePlan =>
      input.sources[0]?.sourceId.startsWith('walk') === true
        ? {
            overallTheme: 'Walks.',
            sections: [
              {
                id: 'section-1',
                title: 'Walking',
                description: 'What walks do.',
                subsections: [],
                relevantSources: input.sources.map(({ sourceId }) => ({ sourceId, relevance: 0.8 })),
              },
            ],
          }
        : nothingPlanned(input);
    const found = await ended('one-part', { outline }, inParts);
    expect(found.status).toBe('completed');
    expect(found.report.sections.map(({ title }) => title)).toEqual(['Walking']);
    expect(found.steps).not.toContain('merge-outlines');
    expect(found.report.warnings).toEqual([]);
  });

  it('are unanswered where none of them answers', async () => {
    const found = await ended('no-part', { outline: nothingPlanned }, inParts);
    expectUnanswered(found, SOURCES.length);
    expect(found.steps).toEqual(['outline']);
  });
});
