import fc from 'fast-check';
import { toldValue } from '../../../src/core/values/told-value';

test.each([
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
  [10n ** 20n, '100000000000000000000'],
  [1e300, '1e+300'],
  ['', '""'],
  ['a\nb', '"a\\nb"'],
  ['\u001b[31mred\u009b0m\u200b', '"\\u001b[31mred\\u009b0m\\u200b"'],
  [null, 'null'],
  [undefined, 'undefined'],
  [{ maxTokens: Number.POSITIVE_INFINITY }, '{"maxTokens":"Infinity"}'],
])('%p is told as %s', (value, told) => {
  expect(toldValue(value)).toBe(told);
});

test('what is long is cut, and a text is told with its length', () => {
  expect(toldValue('x'.repeat(5_000), 10)).toBe('"xxxxxxxxxx…" (5,000 characters)');
  expect(toldValue(Array(1_000).fill(1), 10)).toBe('[1,1,1,1,1…');
});

test('what contains itself is told as well', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  expect(toldValue(circle)).toBe('an object that JSON has no form for');
});

test('whatever is told is one short line that no terminal obeys', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true }), (value) => {
      const told = toldValue(value, 40);
      expect(told).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
      expect(told.length).toBeLessThan(6 * 60);
    }),
    { seed: 23, numRuns: 1_000 },
  );
});
