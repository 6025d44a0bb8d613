import { intervalsIn } from '../../../src/reading/statements/intervals';

test.each([
  ['Fewer fell (OR: 0.5; 95% CI: 0.2 to 0.9).', [true]],
  ['Fewer fell (hazard ratio, 0.80; 95 % CI, 0.6–1.1).', [false]],
  ['Pain fell (mean difference −1.8 points, 95% CI −3.5 to −0.1).', [true]],
  ['Pain fell (mean difference −1.8 points, 95% confidence interval -3.5, 0.4).', [false]],
  // Of neither a ratio nor a difference nobody knows what no effect would be.
  ['The mean was 4.1 (95% CI 3.0 to 5.2).', []],
  ['The odds ratio is not given.', []],
])('%s', (text, expected) => {
  expect(intervalsIn(text).map(({ isSignificant }) => isSignificant)).toEqual(expected);
});
