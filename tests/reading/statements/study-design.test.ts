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
  expect(designOf('Trams', 'A single-arm study; a randomised one is to follow.')).toBeUndefined();
  expect(designOf('Trams', `${'Noise fell. '.repeat(500)}Others had randomised.`)).toBeUndefined();
});
