import { isOfOthers, isOfStart } from '../../../src/reading/statements/own-result';

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
