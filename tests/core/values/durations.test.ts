import { durationMs, durationText } from '../../../src/core/values/durations';

test.each([
  ['30s', 30_000],
  ['15m', 900_000],
  ['1h30m', 5_400_000],
  ['2w', 1_209_600_000],
])('%s are %d milliseconds, and the other way round', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
  expect(durationText(ms)).toBe(text);
});

test.each(['', '5', '5x', 'soon', '-5m', '1.5h'])('%j is no duration', (text) => {
  expect(durationMs(text)).toBeNull();
});
