import { comparable, problemsOfLog } from '../../support/kills/run-record';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest } from '../../model-server/model-server';
import { openModelBench, type ModelBench } from './model-bench';
import { problemsOfReport, sourcesOfRun } from './report-problems';

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

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
  expect(report.claims.length).toBeGreaterThan(20);
  expect(report.citations.length).toBeGreaterThan(10);
  expect(report.followUpQuestions.length).toBeGreaterThanOrEqual(3);
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

test('eight runs of the same question at once ask each thing once, and are the same report', async () => {
  const model = createGoodModel();
  const served = await bench.serve((request) => model.answer(request));
  const ids = Array.from({ length: 8 }, (_, index) => `twin-${index}`);
  const records = await Promise.all(ids.map((id) => served.report(id)));
  const questions = served.server.asked.map(wordsOf);
  expect(questions.length).toBeGreaterThan(8);
  expect(new Set(questions).size).toBe(questions.length);
  for (const record of records) expect(comparable(record)).toEqual(comparable(records[0] ?? record));
  const spent = records.map(({ report }) => report.usage);
  const total = (key: 'calls' | 'inputTokens' | 'outputTokens'): number =>
    spent.reduce((sum, usage) => sum + usage[key], 0);
  expect([total('calls'), total('inputTokens'), total('outputTokens')]).toEqual([
    model.bill.calls,
    model.bill.inputTokens,
    model.bill.outputTokens,
  ]);
});

function wordsOf(request: RecordedRequest): string {
  return messagesOf(request).join('\n');
}
