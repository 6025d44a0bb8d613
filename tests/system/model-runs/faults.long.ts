import { problemsOfLog } from '../../support/kills/run-record';
import { createFaultyModel } from '../../model-server/faulty-model';
import { createGoodModel } from '../../model-server/good-model';
import { openModelBench, type ModelBench } from './model-bench';
import { problemsOfReport, sourcesOfRun } from './report-problems';

const SEED = 20_260_101;
const WAYS = ['429', 'badcite', '500', 'cut', 'fence', 'hang', '429-date'] as const;
/** Different questions, so that no run is spared by the answers of another. */
const QUESTIONS = [
  'Does vitamin D supplementation improve health outcomes in adults?',
  'Does vitamin D supplementation strengthen bones?',
  'Does vitamin D supplementation lower inflammation?',
  'Which patients benefit from vitamin D supplementation?',
  'Does vitamin D supplementation change lung function?',
  'How much vitamin D do adults need?',
  'Is vitamin D supplementation safe in adults?',
];

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

test('where one call in ten misbehaves, reports are complete, and nothing invented is in them', async () => {
  const model = createFaultyModel(createGoodModel(), WAYS, SEED);
  const served = await bench.serve((request, index) => model.answer(request, index), { timeoutMs: 5_000 });
  const records = await Promise.all(
    QUESTIONS.map((question, index) => served.report(`faulty-${index}`, { question })),
  );

  expect([...new Set(model.faults)].sort()).toEqual([...WAYS].sort());
  for (const record of records) {
    const { report, markdown } = record;
    // A text as it is being written is a draft; that what followers end up with is the report's is asked of the log.
    const events = record.events.filter(({ type }) => type !== 'content-chunk');
    expect(report.status).toBe('completed');
    expect(problemsOfReport(report, await sourcesOfRun(bench, report.id))).toEqual([]);
    expect(problemsOfLog(record)).toEqual([]);
    expect(report.sections.length).toBeGreaterThanOrEqual(5);
    expect(report.sections.every((section) => section.citations.length > 0)).toBe(true);
    expect(report.claims.length).toBeGreaterThan(15);
    // As a word: the digits stand in some hash by chance.
    expect(`${markdown}\n${JSON.stringify(report)}\n${JSON.stringify(events)}`).not.toMatch(
      /zanzibar|\b4711\b/i,
    );
  }
});
