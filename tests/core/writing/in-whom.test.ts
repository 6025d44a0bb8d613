import { inWhom } from '../../../src/core/writing/in-whom';

const TITLE =
  'Effects of a new tram line on noise in older residents of flats: a randomised controlled trial';

test('says in whom something was found, in the words of the title, without what the study is', () => {
  expect(inWhom('Noise fell by 4 dB.', TITLE)).toBe('in older residents of flats');
  expect(inWhom('Noise fell.', 'A randomised trial of trams (lines 1 and 2) in Young Drivers')).toBe(
    'in Young Drivers',
  );
  expect(inWhom('Noise fell.', 'Trams for people with asthma')).toBe('for people with asthma');
  expect(inWhom('Noise fell.', 'The effect of trams on sleep')).toBe('on sleep');
});

test('tells it of nobody whom the quote names, in full or by their short form, and of no study or time', () => {
  expect(inWhom('Noise fell among older residents of flats.', TITLE)).toBeNull();
  const disease = 'Walking and breath in Chronic Obstructive Pulmonary Disease Patients';
  expect(inWhom('Breath did not change in COPD.', disease)).toBeNull();
  expect(inWhom('Noise fell.', 'Trams and noise in a randomised trial')).toBeNull();
  expect(inWhom('Noise fell.', 'In the city')).toBeNull();
});

test('cuts what is long at a word', () => {
  const title = 'Trams in old and young people who live beside a road or a railway in the north';
  expect(inWhom('Noise fell.', title)).toBe('in the north');
  expect(inWhom('It fell.', 'Trams among old and young people who live beside a loud road')).toBe(
    'among old and young people who live beside a …',
  );
});

test.each(['Trams and noise in 2019', 'Trams in the long run', 'Trams and changes in street noise'])(
  'tells nobody where “%s” names a time, a way or what changed',
  (title) => {
    expect(inWhom('It fell.', title)).toBeNull();
  },
);
