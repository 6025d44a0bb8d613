import type { BudgetLimits } from '../../../src/contracts/run/run-input';
import type { RunRecord } from '../../support/kills/run-record';
import { problemsOfLog } from '../../support/kills/run-record';
import { createGoodModel, messagesOf, type ModelBill } from '../../model-server/good-model';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { openModelBench, type ModelBench } from './model-bench';
import { problemsOfReport, sourcesOfRun } from './report-problems';

const SECTIONS = 8;
/** Sections are written together. */
const SECTIONS_AT_ONCE = 4;

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

/** A run within the limits against a server of its own, and what the server counted. */
async function run(runId: string, budget: BudgetLimits): Promise<{ record: RunRecord; bill: ModelBill }> {
  const model = createGoodModel({ sections: SECTIONS });
  const isFree = Object.keys(budget).length === 0;
  const writing = meeting(SECTIONS_AT_ONCE);
  const served = await bench.serve((request) => {
    const answer = model.answer(request);
    const waits = isFree && stepOfPrompt(...messagesOf(request)) === 'write-section';
    return waits ? (...given) => writing().then(() => answer(...given)) : answer;
  });
  const record = await served.report(runId, { budget });
  expect(served.server.asked).toHaveLength(model.bill.calls);
  await bench.rest();
  return { record, bill: model.bill };
}

/** Each call resolves when there have been so many: what waits for it is under way at the same time. */
function meeting(size: number): () => Promise<void> {
  let come = 0;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return () => {
    come += 1;
    if (come === size) begin();
    return begun;
  };
}

/** What holds for every report that a budget has cut short. */
async function expectCutShort({ record, bill }: Awaited<ReturnType<typeof run>>): Promise<void> {
  const { report } = record;
  expect(report.status).toBe('partial');
  expect(problemsOfReport(report, await sourcesOfRun(bench, report.id))).toEqual([]);
  expect(problemsOfLog(record)).toEqual([]);
  expect(report.sections.length).toBeGreaterThanOrEqual(3);
  expect(report.sections.every(({ markdown }) => markdown.length > 100)).toBe(true);
  expect(report.claims.length).toBeGreaterThan(10);
  expect(report.markdown).toMatch(/## Executive Summary\n[^]*\n- /);
  const told = report.warnings.filter(({ code }) => code === 'budget');
  expect(told.length).toBeGreaterThan(0);
  for (const { message } of told) expect(message).toMatch(/pass \d · |To keep within the budget/);
  // The ledger is the server's own count.
  const { calls, inputTokens, outputTokens } = bill;
  expect(report.usage).toMatchObject({ calls, inputTokens, outputTokens });
}

test('under half of the tokens that it takes a report is complete, and names what was left out', async () => {
  const free = await run('unlimited', {});
  expect(free.record.report.status).toBe('completed');
  const outline = await bench.colligate.run('unlimited').outline();
  expect(outline?.sections).toHaveLength(SECTIONS);
  const needed = free.bill.inputTokens + free.bill.outputTokens;

  for (const share of [0.5, 0.1]) {
    const maxTokens = Math.floor(needed * share);
    const limited = await run(`tokens-${share}`, { maxTokens });
    await expectCutShort(limited);
    const used = limited.bill.inputTokens + limited.bill.outputTokens;
    expect(used).toBeLessThanOrEqual(maxTokens + limited.bill.largestCall);
    // What is left has no room for a judge that reads the whole text.
    expect(limited.record.report.judge).toBeNull();
  }
  // A budget is there to be used, as far as the longest answers leave room.
  const { bill } = await run('tokens-enough', { maxTokens: 2 * needed });
  expect(bill.inputTokens + bill.outputTokens).toBeGreaterThan(needed / 4);

  const maxCostUsd = free.record.report.usage.costUsd / 2;
  const limited = await run('costs', { maxCostUsd });
  await expectCutShort(limited);
  expect(limited.record.report.usage.costUsd).toBeLessThanOrEqual(maxCostUsd);
});

test('a budget with room for every worst case changes nothing', async () => {
  const free = await run('free', {});
  const { inputTokens, outputTokens } = free.bill;
  const ample = await run('ample', { maxTokens: 4 * (inputTokens + outputTokens) });
  expect(ample.record.report.status).toBe('completed');
  expect(ample.record.markdown).toBe(free.record.markdown);
  expect(ample.record.report.warnings).toEqual([]);
});
