import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest } from '../../model-server/model-server';
import { promptCosts } from '../../model-server/prompt-costs';
import { materialIn, stepOfPrompt } from '../../model-server/prompt-material';
import { forAllTests } from '../../support/for-all-tests';
import { comparable, problemsOfLog } from '../../support/kills/run-record';
import { openModelBench } from './model-bench';
import { problemsOfReport, sourcesOfRun } from './report-problems';

const bench = forAllTests(openModelBench);
afterEach(() => bench.rest());

describe('the whole report', () => {
  test('a report over real notes is complete, true to its sources and paid for once', async () => {
    const model = createGoodModel();
    const served = await bench.serve((request) => model.answer(request));
    const first = await served.report('first');
    const { report, markdown } = first;
    const sources = await sourcesOfRun(bench, 'first');

    expect(report.status).toBe('completed');
    expect(report.warnings).toEqual([]);
    expect(problemsOfReport(report, sources)).toEqual([]);
    expect(problemsOfLog(first)).toEqual([]);
    expect(report.sections.length).toBeGreaterThanOrEqual(5);
    expect(report.claims.length).toBeGreaterThan(15);
    expect(report.citations.length).toBeGreaterThanOrEqual(10);
    expect(report.followUpQuestions.length).toBeGreaterThanOrEqual(1);
    expect(report.provenance).toMatchObject({
      engine: 'openai',
      models: { fast: 'small', strong: 'large', critic: 'large' },
    });
    const { calls, inputTokens, outputTokens } = model.bill;
    expect(calls).toBe(served.server.asked.length);
    expect(report.usage).toMatchObject({ calls, cachedCalls: 0, inputTokens, outputTokens });

    const asked = served.server.asked.length;
    const second = await served.report('second');
    expect(served.server.asked).toHaveLength(asked);
    expect(second.markdown).toBe(markdown);
    expect(comparable(second)).toEqual(comparable(first));
    expect(second.report.usage).toMatchObject({ calls: 0, cachedCalls: calls, inputTokens: 0, costUsd: 0 });
  });
});

describe('its cost', () => {
  const NOTES = resolve(__dirname, '../../../examples/vitamin-d');
  const CHARS_PER_TOKEN = 4;

  const promptOf = (request: RecordedRequest): string => messagesOf(request).join('\n');
  const stepOf = (request: RecordedRequest): string => stepOfPrompt(...messagesOf(request));

  test('a run over the notes sends each source once in pass 1 and once in pass 2, the second time as it was sent before', async () => {
    const model = createGoodModel();
    const served = await bench.serve((request) => model.answer(request));
    const { report } = await served.report('whole');
    expect(report.status).toBe('completed');
    const asked = [...served.server.asked];

    const prompts = asked.map(promptOf);
    expect(new Set(prompts).size).toBe(prompts.length);
    const costs = promptCosts(prompts);
    expect(costs.reduce((sum, { chars }) => sum + chars, 0) / CHARS_PER_TOKEN).toBeLessThan(34_000);
    const copies = (step: string): number =>
      costs.reduce(
        (sum, { sources }, at) => sum + (asked[at] && stepOf(asked[at]) === step ? sources : 0),
        0,
      );
    expect(['outline', 'extract-findings', 'cross-check'].map(copies)).toEqual([16, 16, 0]);
    expect(asked.map(stepOf)).not.toContain('summarise');
    expect(asked.map(stepOf)).not.toContain('score-relevance');

    // What is read again stands where an endpoint has it already: at the beginning, under the same mark. A judge is
    // given no source, but the text.
    const reading = asked.filter((request) => stepOf(request) !== 'judge').map(promptOf);
    const marks = reading.flatMap((prompt) => /^=== ([0-9a-f]{16}) /m.exec(prompt)?.[1] ?? []);
    expect(new Set(marks).size).toBe(1);
    const read = asked.findIndex((request) => stepOf(request) === 'extract-findings');
    const sources = [...materialIn(prompts[read] ?? '')].filter(([name]) => /^S\d+$/.test(name));
    const sourceChars = sources.reduce((sum, [, text]) => sum + text.length, 0);
    expect(costs[read]?.sharedChars).toBeGreaterThan(sourceChars);

    const changed = join(mkdtempSync(join(tmpdir(), 'colligate-cost-')), 'notes');
    cpSync(NOTES, changed, { recursive: true });
    const note = join(changed, 'zheng-2018-dialysis.md');
    const text = readFileSync(note, 'utf8');
    writeFileSync(note, text.replace('Nearly 40%', 'Nearly 45%'));
    await served.report('changed', { sources: { paths: [changed] } });
    const again = served.server.asked.slice(asked.length).map(stepOf);
    // What reads all sources, all findings or the whole text reads the change.
    for (const step of ['outline', 'extract-findings', 'cross-check', 'write-text', 'judge'])
      expect(again.filter((one) => one === step).length).toBeLessThanOrEqual(1);
    expect(again.length).toBeLessThanOrEqual(asked.length);
  });
});
