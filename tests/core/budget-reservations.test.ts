import fc from 'fast-check';
import { SynthesisSettings } from '../../src/contracts/report/synthesis-settings';
import type { Usage } from '../../src/contracts/run/run';
import {
  type BudgetLedger,
  committed,
  openLedger,
  release,
  reserve,
  settle,
} from '../../src/core/budget/budget-ledger';
import {
  CALL_SIZES,
  estimateTokens,
  MAX_OUTPUT_TOKENS,
  MAX_TOLD_CHARS,
  worstCaseOf,
} from '../../src/core/budget/call-estimates';
import { costUsd, priceOf } from '../../src/core/budget/prices';
import { NO_USAGE } from '../../src/core/budget/usage';

describe('budget ledger', () => {
  const usage = (tokens: number, costUsd: number): Usage => ({
    ...NO_USAGE,
    calls: 1,
    inputTokens: Math.floor(tokens / 2),
    outputTokens: tokens - Math.floor(tokens / 2),
    costUsd,
  });

  /** A call that reserves `worst`, from the fund or not, and in the end uses a part of it, in tenths. */
  const call = fc.record({
    worst: fc.record({ tokens: fc.nat(5_000), costUsd: fc.nat(50) }),
    usedTenths: fc.nat(10),
    funded: fc.boolean(),
    end: fc.constantFrom('settle', 'release', 'leave'),
  });

  it('never commits more than the limits, and books exactly what was used', () => {
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 40 }),
        fc.record({
          maxTokens: fc.integer({ min: 1, max: 40_000 }),
          maxCostUsd: fc.integer({ min: 1, max: 400 }),
        }),
        fc.record({ tokens: fc.nat(20_000), costUsd: fc.nat(200) }),
        (calls, limits, fund) => {
          const funded = reserve(openLedger(limits), 'fund', fund);
          let ledger: BudgetLedger = funded ?? openLedger(limits);
          const expected = { calls: 0, tokens: 0, costUsd: 0 };
          calls.forEach(({ worst, usedTenths, funded: fromFund, end }, index) => {
            const name = `call-${index}`;
            const next = reserve(ledger, name, worst, fromFund ? 'fund' : undefined);
            if (next === null) return;
            ledger = next;
            if (end === 'settle') {
              const part = usedTenths / 10;
              const used = usage(Math.floor(worst.tokens * part), worst.costUsd * part);
              ledger = settle(ledger, name, 'deep-dive', used);
              expected.calls += 1;
              expected.tokens += used.inputTokens + used.outputTokens;
              expected.costUsd += used.costUsd;
            } else if (end === 'release') ledger = release(ledger, name);
            expect(committed(ledger).tokens).toBeLessThanOrEqual(limits.maxTokens);
            expect(committed(ledger).costUsd).toBeLessThanOrEqual(limits.maxCostUsd + 1e-6);
          });
          expect(ledger.spent.calls).toBe(expected.calls);
          expect(ledger.spent.inputTokens + ledger.spent.outputTokens).toBe(expected.tokens);
          expect(ledger.spent.costUsd).toBeCloseTo(expected.costUsd, 6);
          expect(ledger.byPass['deep-dive'] ?? NO_USAGE).toEqual(ledger.spent);
        },
      ),
    );
  });

  it('keeps what a fund holds for the calls that draw on it', () => {
    const funded = reserve(openLedger({ maxTokens: 100 }), 'pass-4', { tokens: 60, costUsd: 0 });
    if (funded === null) throw new Error('the fund must fit');
    expect(reserve(funded, 'early', { tokens: 41, costUsd: 0 })).toBeNull();
    const early = reserve(funded, 'early', { tokens: 40, costUsd: 0 });
    if (early === null) throw new Error('what the fund leaves must be free');
    const writing = reserve(early, 'write', { tokens: 50, costUsd: 0 }, 'pass-4');
    expect(writing?.reserved).toEqual({
      'pass-4': { tokens: 10, costUsd: 0 },
      early: { tokens: 40, costUsd: 0 },
      write: { tokens: 50, costUsd: 0 },
    });
    expect(reserve(early, 'write', { tokens: 61, costUsd: 0 }, 'pass-4')).toBeNull();
  });

  it('has no limit where none is set', () => {
    const ledger = reserve(openLedger({}), 'call', { tokens: 1e12, costUsd: 1e9 });
    expect(ledger).not.toBeNull();
  });

  it('refuses a second reservation of one name, and a settlement without one', () => {
    const ledger = reserve(openLedger({}), 'call', { tokens: 1, costUsd: 0 });
    if (ledger === null) throw new Error('it must fit');
    expect(() => reserve(ledger, 'call', { tokens: 1, costUsd: 0 })).toThrow(/already/);
    expect(() => settle(ledger, 'other', 'report', NO_USAGE)).toThrow(/holds no reservation/);
  });
});

describe('estimates of calls', () => {
  const settings = SynthesisSettings.parse({});

  test('the extractive engine costs nothing', () => {
    expect(
      worstCaseOf('extractive', CALL_SIZES.extractFindings(settings, { sources: 20, chars: Infinity })),
    ).toEqual({ tokens: 0, costUsd: 0 });
  });

  test('a worst case is the question and the repair turn, each with its input and the longest answer', () => {
    const size = { inputChars: 4_000, maxOutputTokens: 1_000 };
    const input = estimateTokens(4_000);
    expect(input).toBe(1_100);
    // The repair turn has the first answer in its input.
    expect(worstCaseOf('openai', size).tokens).toBe(input + 1_000 + (input + 1_000) + 1_000);
  });

  test('what is larger than the model’s window is counted in all of its calls', () => {
    const size = { inputChars: 400_000, maxOutputTokens: 8_000 };
    const whole = worstCaseOf('openai', size, { contextTokens: 400_000 });
    const parts = worstCaseOf('openai', size, { contextTokens: 128_000 });
    expect(parts.tokens).toBeGreaterThan(whole.tokens + 3 * 8_000 - 1);
    expect(worstCaseOf('openai', size, { contextTokens: 1_000_000 })).toEqual(whole);
  });

  test('the cost is that of the model’s price, and nothing where it is not known', () => {
    const prices = { large: { input: 2, output: 10 } };
    const size = { inputChars: 4_000, maxOutputTokens: 1_000 };
    const input = 2 * 1_100 + 1_000;
    expect(worstCaseOf('openai', size, { price: priceOf(prices, 'large') }).costUsd).toBeCloseTo(
      (input * 2 + 2_000 * 10) / 1_000_000,
      12,
    );
    expect(worstCaseOf('openai', size, { price: priceOf(prices, 'other') }).costUsd).toBe(0);
    expect(priceOf(prices, 'toString')).toBeNull();
    expect(costUsd(null, { inputTokens: 5, outputTokens: 5 })).toBe(0);
  });

  test('a text of many words has room for 1.3 tokens to a word at least, and no more than its step may answer', () => {
    for (const words of [100, 400, 2_000]) {
      const { maxOutputTokens } = CALL_SIZES.writeBriefPart(words, 14, 40_000);
      expect(maxOutputTokens).toBeGreaterThanOrEqual(words * 1.3);
    }
    expect(CALL_SIZES.writeBrief(2_000, 6, 40_000).maxOutputTokens).toBeGreaterThanOrEqual(2_600);
    expect(CALL_SIZES.writeBrief(100_000, 6, 40_000).maxOutputTokens).toBe(MAX_OUTPUT_TOKENS.writeBrief);
  });

  test('a part of a brief is reserved for what its prompt may have: statements, the plan, what was told and what is revised', () => {
    const one = CALL_SIZES.writeBriefPart(400, 4, 10_000).inputChars;
    expect(one).toBeGreaterThan(10_000 + MAX_TOLD_CHARS);
    expect(CALL_SIZES.writeBriefPart(400, 14, 10_000).inputChars).toBeGreaterThan(one);
    expect(CALL_SIZES.planBrief(14, 80_000).inputChars).toBeGreaterThan(80_000);
  });
});
