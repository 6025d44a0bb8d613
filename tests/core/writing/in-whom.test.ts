import { inWhom } from '../../../src/core/writing/in-whom';

const TITLE =
  'Effects of a new tram line on noise in older residents of flats: a randomised controlled trial';

test('says in whom something was found, in the words of the title, without what the study is', () => {
  expect(inWhom('Noise fell by 4 dB.', TITLE)).toBe('in older residents of flats');
  expect(inWhom('Noise fell.', 'A randomised trial of trams (lines 1 and 2) in Young Drivers')).toBe(
    'in Young Drivers',
  );
  expect(inWhom('Noise fell.', 'Trams for people with asthma')).toBe('in people with asthma');
  expect(inWhom('Noise fell.', 'A quiet tram on the sleep of old drivers for a year')).toBe('in old drivers');
  expect(inWhom('Noise fell.', 'New trams and noise in South Africa')).toBe('in South Africa');
});

test('tells it of nobody whom the quote names, in full or by their short form, and of no study or time', () => {
  expect(inWhom('Noise fell among older residents of flats.', TITLE)).toBeNull();
  const disease = 'Walking and breath in Chronic Obstructive Pulmonary Disease Patients';
  expect(inWhom('Breath did not change in COPD.', disease)).toBeNull();
  expect(inWhom('Noise fell.', 'Trams and noise in a randomised trial')).toBeNull();
  expect(inWhom('Noise fell.', 'In the city')).toBeNull();
});

test('cuts what is long at a word', () => {
  expect(inWhom('It fell.', 'Trams among old and young people who live beside a loud road')).toBe(
    'in old and young people who live beside a …',
  );
});

test.each(['Trams and noise in 2019', 'Trams in the long run', 'Trams and changes in street noise'])(
  'tells nobody where “%s” names a time, a way or what changed',
  (title) => {
    expect(inWhom('It fell.', title)).toBeNull();
  },
);

test.each([
  'The effect of trams on sleep and noise',
  'Trams and Sleep in Diabetic Hemodialysis',
  'Trams and what patients report of them',
])('tells nobody where “%s” names no population', (title) => {
  expect(inWhom('It fell.', title)).toBeNull();
});
