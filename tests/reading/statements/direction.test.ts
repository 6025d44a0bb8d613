import { directionOf } from '../../../src/reading/statements/direction';
import { significanceOf } from '../../../src/reading/statements/significance';

const walking = { intervention: 'daily walking', comparator: 'sitting', outcome: 'blood pressure' };

test.each(
  Object.entries<ReturnType<typeof directionOf>>({
    'Blood pressure was significantly lower in the walking group than in the sitting group.': 'decreased',
    'Sitting led to significantly lower blood pressure than walking.': 'increased',
    'Blood pressure did not differ between the groups (p = 0.41).': 'none',
    'Walking raised fitness, and made blood pressure significantly lower than sitting (p < 0.01).':
      'decreased',
    'Walking lowered blood pressure.': 'decreased',
    'Blood pressure was measured twice.': null,
  }),
)('%s', (sentence, expected) => {
  expect(directionOf([sentence], walking)).toBe(expected);
});

test.each<[string, ReturnType<typeof significanceOf>]>([
  ['The tax lowered sales.', 'effect'],
  ['The groups differed (P &lt; 0.001).', 'effect'],
  ['There was a trend towards more sales (p = 0.08).', 'none'],
  ['No effect on sales was found.', 'none'],
])('%s: %s', (sentence, expected) => {
  expect(significanceOf([sentence])).toBe(expected);
});

test('a sentence that is given twice counts once', () => {
  const sentence = 'There was a trend (p = 0.08).';
  expect(significanceOf([sentence, sentence, 'Sales rose (p = 0.01), and costs fell (p = 0.02).'])).toBe(
    'effect',
  );
});

test('nothing is told of no text', () => {
  expect(significanceOf([])).toBeNull();
  expect(directionOf([], walking)).toBeNull();
});
