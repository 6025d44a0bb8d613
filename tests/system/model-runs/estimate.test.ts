import { join, resolve } from 'node:path';
import type { Usage } from '../../../src/contracts/run';
import type { RunEstimate } from '../../../src/contracts/run-input';
import { readSubtopics } from '../../../src/sources/read-subtopics';
import { createGoodModel } from '../../model-server/good-model';
import { type ModelBench, openModelBench } from './model-bench';

const EXAMPLES = resolve(__dirname, '../../../examples');
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';
const NOTES = { paths: [join(EXAMPLES, 'vitamin-d')] };

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

/** Each figure as a share of the actual one. */
function shares(estimate: RunEstimate | undefined, actual: Usage): Record<string, number> {
  if (estimate === undefined) throw new Error('there is no estimate');
  const tokens = (of: Pick<Usage, 'inputTokens' | 'outputTokens'>): number =>
    of.inputTokens + of.outputTokens;
  return {
    calls: estimate.calls / actual.calls,
    tokens: tokens(estimate) / tokens(actual),
    cost: (estimate.costUsd ?? 0) / actual.costUsd,
  };
}

function expectWithin30Percent(estimate: RunEstimate | undefined, actual: Usage): void {
  for (const [figure, share] of Object.entries(shares(estimate, actual))) {
    expect(share, figure).toBeGreaterThan(0.7);
    expect(share, figure).toBeLessThan(1.3);
  }
}

describe.each([128_000, 16_384])('the estimate with a window of %d tokens', (contextTokens) => {
  const settings = {
    prices: { small: { input: 0.25, output: 2 }, large: { input: 0.25, output: 2 } },
    contextTokens: { small: contextTokens, large: contextTokens },
  };
  const script = (): Parameters<ModelBench['serve']>[0] => {
    const model = createGoodModel();
    return (request) => model.answer(request);
  };

  it('of a report is within 30 % of its calls, tokens and cost', async () => {
    const served = await bench.serve(script(), settings);
    const { report } = await served.report(`report-${contextTokens}`, { question: QUESTION, sources: NOTES });
    expectWithin30Percent(report.estimate, report.usage);
  });

  it('of an answer is within 30 %', async () => {
    const { models } = await bench.serve(script(), settings);
    const { estimate, usage } = await bench.colligate.answer({
      requestId: `answer-${contextTokens}`,
      question: QUESTION,
      sources: NOTES,
      engine: 'openai',
      models,
      searchAttributes: true,
    });
    expectWithin30Percent(estimate, usage);
  });

  it('of a brief is within 30 %', async () => {
    const { models } = await bench.serve(script(), settings);
    const { subtopics } = await readSubtopics([join(EXAMPLES, 'hubble-constant')]);
    const { estimate, usage } = await bench.colligate.brief({
      runId: `brief-${contextTokens}`,
      question: 'How fast is the universe expanding?',
      subtopics,
      engine: 'openai',
      models,
      searchAttributes: true,
    });
    expectWithin30Percent(estimate, usage);
  });
});

describe('a limit', () => {
  const request = { question: QUESTION, sources: NOTES, engine: 'openai' as const, searchAttributes: true };

  it('that is too small for one call starts nothing', async () => {
    const { models } = await bench.serve([]);
    const started = bench.colligate.startReport({
      ...request,
      models,
      runId: 'too-small',
      budget: { maxTokens: 6_000 },
    });
    await expect(started).rejects.toThrow(
      /budget\.maxTokens 6000 is too small: the smallest call .* Nothing was started\./,
    );
    await expect(bench.colligate.run('too-small').progress()).rejects.toThrow(/no run/);
  });

  it('that may not suffice is warned about, and nothing is kept of an estimate', async () => {
    const { models } = await bench.serve([]);
    const asked = { ...request, models, budget: { maxCostUsd: 0.5 } };
    const before = await bench.stores.content.statistics();
    const { estimate, warnings } = await bench.colligate.estimate({ kind: 'report', request: asked });
    expect(estimate).toMatchObject({ models: expect.arrayContaining(['small', 'large']) as string[] });
    expect(warnings).toEqual([
      { code: 'limit-short', message: expect.stringMatching(/maxCostUsd 0\.5 may not suffice/) as string },
    ]);
    expect((await bench.stores.content.statistics()).artifacts).toBe(before.artifacts);
  });
});
