import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import {
  CALL_SIZES,
  estimateTokens,
  MAX_OUTPUT_TOKENS,
  MAX_TOLD_CHARS,
  worstCaseOf,
} from '../../../src/core/budget/call-estimates';
import { costUsd, priceOf } from '../../../src/core/budget/prices';

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
