import { studyDesigns } from '../../../src/reading/statements/study-design';

function designOf(title: string, content = ''): string | undefined {
  return studyDesigns([{ sourceId: 'a', title, content }]).get('a');
}

test('a study says in its title whether it had controls, else where it begins', () => {
  expect(designOf('Trams and noise: a randomised trial', 'An uncontrolled study came before.')).toBe(
    'controlled',
  );
  expect(designOf('Trams and noise', 'A before-and-after trial without a control group.')).toBe(
    'uncontrolled',
  );
  expect(designOf('Trams and noise', 'Streets were randomly assigned to have trams.')).toBe('controlled');
});

test('what says neither, or both, is of no known design', () => {
  expect(designOf('Trams and noise', 'Noise fell.')).toBeUndefined();
  expect(designOf('A single-arm study of trams; a randomised one is to follow')).toBeUndefined();
  expect(designOf('Trams', 'A single-arm study, in which streets were randomised.')).toBeUndefined();
  expect(designOf('Trams', `${'Noise fell. '.repeat(500)}Others had randomised.`)).toBeUndefined();
});

test.each([
  ['A non-randomized pilot study of trams', ''],
  ['Mendelian randomization of noise and sleep', ''],
  ['Trams and noise', 'The streets were not randomized.'],
  ['Trams and noise', 'No randomized trial has tested trams; earlier randomized trials were of buses.'],
])('what is denied, or said of others, is no design of “%s”', (title, content) => {
  expect(designOf(title, content)).toBeUndefined();
});
