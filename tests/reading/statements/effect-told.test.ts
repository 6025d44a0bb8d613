import { effectTold, isOfOthers, isOfStart, sideTold } from '../../../src/reading/statements/effect-told';

test.each([
  'There were no significant differences between the groups at baseline.',
  'Baseline characteristics did not differ.',
  'No difference in diet was seen before the intervention.',
  'The boys of the control group were significantly taller than others at baseline (p < 0.05).',
  'Weight before pregnancy was significantly higher in the control group.',
])('tells of the start alone: %s', (text) => expect(isOfStart(text)).toBe(true));

test.each([
  'Pain fell from 7.2 at baseline to 3.1 at week 12 (p < 0.001).',
  'Absenteeism was 20% lower than before the intervention.',
  'Absenteeism was no lower than before the treatment.',
  'Noise did not differ at baseline, nor after the trial.',
])('tells of what became of it: %s', (text) => expect(isOfStart(text)).toBe(false));

test.each([
  'Trams were quieter in another town [4, 5].',
  'Doe et al. measured less noise.',
  'Noise fell in other towns (Doe & Roe, 2011).',
  'Noise fell in other towns (a review of trams; Roe 2019b).',
])('tells what others found: %s', (text) => expect(isOfOthers(text)).toBe(true));

test.each([
  'Noise fell over two years (January 2018 to March 2020).',
  'Noise fell (from 2019 to 2020).',
  'Noise fell by 4 dB (the largest fall since 2008).',
])('cites nobody: %s', (text) => expect(isOfOthers(text)).toBe(false));

test.each([
  ['There was no significant difference in weight gain between the groups.', 'none'],
  ['The programme did not result in statistically significant improvements in sleep.', 'none'],
  ['Those who walked gained 1 kg less, but this difference was not significant.', 'none'],
  ['In patients without plaques, pressure decreased significantly (p = 0.01).', 'effect'],
  ['Fewer of them fell than in the control group (OR: 0.5; 95% CI: 0.2 to 0.9).', 'effect'],
  ['Sleep improved independent of the treatment (p < 0.05).', null],
  ['The test was ended if they did not improve in pain or sleep.', null],
  ['Similar differences between the groups were seen in sleep (p < 0.001).', null],
  ['No detailed information was available on sleep.', null],
  ['Our hypothesis was that walking improves sleep.', null],
])('stands on a side: %s', (text, side) => expect(sideTold(text)).toBe(side));

test('what authors conclude from their own results is counted', () => {
  expect(effectTold('These results show that walking improves sleep.')).toBe('effect');
  expect(effectTold('These results show that walking may improve sleep.')).toBeNull();
});
