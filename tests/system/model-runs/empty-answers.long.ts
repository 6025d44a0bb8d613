import { createGoodModel, messagesOf } from '../../model-server/good-model';
import { answers, answersJson } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { type AskedStep, stepOfPrompt } from '../../model-server/prompt-material';
import { openModelBench, type ModelBench } from './model-bench';
import { problemsOfReport, sourcesOfRun } from './report-problems';

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

const EMPTY: readonly [AskedStep, string, Behaviour][] = [
  ['extract-findings', 'no finding', answersJson({ findings: [] })],
  ['outline', 'no section', answersJson({ overallTheme: '', sections: [] })],
  ['write-section', 'no text', answers('')],
];

test.each(EMPTY)(
  'a model whose %s has %s is quoted over, and the run is partial',
  async (step, _what, nothing) => {
    const model = createGoodModel();
    const served = await bench.serve((request) => {
      const answer = model.answer(request);
      return stepOfPrompt(...messagesOf(request)) === step ? nothing : answer;
    });
    const { report } = await served.report(`empty-${step}`);
    expect(report.status).toBe('partial');
    expect(report.claims.length).toBeGreaterThan(10);
    expect(problemsOfReport(report, await sourcesOfRun(bench, report.id))).toEqual([]);
    expect(
      report.warnings.filter(({ code }) => code === 'model-unusable').map(({ message }) => message),
    ).toContainEqual(expect.stringContaining('it was done by quoting instead'));
    expect(report.markdown).toMatch(/could not be left to the model/);
  },
);

test('a model that finds nothing where nothing answers is believed', async () => {
  const model = createGoodModel();
  const served = await bench.serve((request) => {
    const answer = model.answer(request);
    return stepOfPrompt(...messagesOf(request)) === 'extract-findings'
      ? answersJson({ findings: [] })
      : answer;
  });
  const question = 'How many moons does the planet Neptune have?';
  const { report } = await served.report('nothing-answers', { question });
  expect(report.status).toBe('partial');
  expect(report.claims).toEqual([]);
  expect(report.warnings.map(({ code }) => code)).toContain('no-answer');
});
