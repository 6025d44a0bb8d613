import {
  costUsd,
  isOverBudget,
  MAX_OUTPUT_TOKENS,
  maxWritingTokens,
  NO_USAGE,
  openBudget,
  priceOf,
  recordUsage,
} from '../../src/contracts/budget';

describe('budget ledger', () => {
  const used = { ...NO_USAGE, calls: 1, inputTokens: 600, outputTokens: 400, costUsd: 2 };

  it('books what calls used, as a whole and by pass', () => {
    const once = recordUsage(openBudget({}), 'gather', used);
    const twice = recordUsage(once, 'deep-dive', used);
    expect(twice.spent).toMatchObject({ calls: 2, inputTokens: 1_200, outputTokens: 800, costUsd: 4 });
    expect(twice.byPass).toEqual({ gather: used, 'deep-dive': used });
  });

  it.each([
    [{}, false],
    [{ maxTokens: 1_001 }, false],
    [{ maxTokens: 1_000 }, true],
    [{ maxTokens: 10 }, true],
    [{ maxCostUsd: 2.5 }, false],
    [{ maxCostUsd: 2 }, true],
    [{ maxTokens: 5_000, maxCostUsd: 1 }, true],
  ])('is spent once a limit is reached: %o', (limits, spent) => {
    expect(isOverBudget(openBudget(limits))).toBe(false);
    expect(isOverBudget(recordUsage(openBudget(limits), 'gather', used))).toBe(spent);
  });
});

test('the cost is that of the model’s price, and nothing where it is not known', () => {
  const prices = { small: { input: 1, output: 2 } };
  const tokens = { inputTokens: 1_000_000, outputTokens: 500_000 };
  expect(costUsd(priceOf(prices, 'small'), tokens)).toBe(2);
  expect(priceOf(prices, 'other')).toBeNull();
  expect(priceOf(prices, 'toString')).toBeNull();
  expect(costUsd(null, tokens)).toBe(0);
});

test('a text of many words has room for 1.3 tokens to a word at least, and no more than its step may answer', () => {
  for (const words of [10, 500, 2_000, 5_000]) {
    const tokens = maxWritingTokens(words, MAX_OUTPUT_TOKENS.writeText);
    expect(tokens).toBeGreaterThanOrEqual(Math.min(MAX_OUTPUT_TOKENS.writeText, words * 1.3));
    expect(tokens).toBeLessThanOrEqual(MAX_OUTPUT_TOKENS.writeText);
  }
});
