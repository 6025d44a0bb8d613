import { isQuotable } from '../../src/reading/quotable';

test.each([
  'With that model the final data of Planck give 67.4 ± 0.5 km/s/Mpc ([Planck 2018](https://arxiv.org/abs/1807.06209)).',
  'The bridge was opened in 1932, says https://a.example/town/bridge/history.',
  'The [guide](https://a.example/guide) and the [register](https://b.example/x/y) name one year, 1932.',
  'Table 2 shows that the trams were quieter in each of the streets.',
  'ActiGraph and BodyMedia made the meters of all the trams.',
  'The values of all the streets were lower than their mean.',
  'They give 69.8 km/s/Mpc, against 67.4 km/s/Mpc by another way [1].',
])('a sentence with links or units reads as well as its words do: %s', (text) => {
  expect(isQuotable(text, '')).toBe(true);
});

test.each([
  '[Home](https://a.example/) [Bridges](https://a.example/b) [Rivers](https://a.example/r)',
  'See https://a.example/a/long/way/down/to/the/page.',
  'src/a/b.ts | src/c/d.ts | src/e/f.ts',
  'id="Par43">In 2002 the trial of walking ended without a result.',
  'Take the tram to work every day 3.75',
  '.79 % Taking the tram to work every day',
  'Table 1Characteristics of all the trams in the town',
  'Figure 2. Noise in each of the streets by day',
  'Noise (dB)3.75 ± 0.36b in all of them',
  'Mean level of noise (dB)',
  'Street lengthTotal groupSouth sideNorth partNoise of trams (dB) 12 14 15',
  'TR, tram; ST, street; DB, decibels of noise.',
  'Values are means ± SD of all the streets.',
  '[58] concluded that walking improved the sleep of older adults.',
])('links, paths, rows and remnants are no sentence: %s', (text) => {
  expect(isQuotable(text, '')).toBe(false);
});
