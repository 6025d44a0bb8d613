import { isConclusion, tellsIntent } from '../../../src/reading/statements/tells-intent';

test.each([
  'The aim of this study was to see whether trams reduce noise.',
  'To determine whether trams reduce noise, we asked people in two streets.',
  'This study primarily aimed to compare two trams.',
  'Assess how trams reduce noise in two streets.',
  'We hypothesised that trams would reduce noise.',
  'Further research on the noise of trams is warranted.',
  'The purpose was to count trams. We expected that they would show a significant reduction of noise.',
  'Larger studies are needed to tell how trams reduce noise.',
  'We investigated the potential of trams to reduce noise.',
  'Little is known about the noise of trams.',
  'There are no detailed data on the noise of trams.',
])('is meant, expected or called for: %s', (text) => expect(tellsIntent(text)).toBe(true));

test.each([
  'Trams reduced noise by 4 dB (p = 0.01).',
  'As hypothesised, noise was significantly lower with trams.',
  'We examined two streets and found less noise with trams.',
  'A higher dose of sand is required in winter.',
  'No difference between the streets was seen.',
  // What others aim at is no aim of the study.
  'To date, measures aimed at decreasing noise in towns have been largely unsuccessful.',
])('is a result: %s', (text) => expect(tellsIntent(text)).toBe(false));

test.each([
  ['These results suggest that trams reduce noise.', true],
  ['In conclusion, trams reduce noise.', true],
  ['We conclude that trams did not change noise.', true],
  ['These results suggest that trams may reduce noise.', false],
  ['In conclusion, further studies should examine the noise of trams.', false],
  ['Others suggest that trams reduce noise.', false],
])('%s: is it what the authors conclude? %s', (text, isOne) => expect(isConclusion(text)).toBe(isOne));
