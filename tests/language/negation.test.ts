import { deniesEffect, negationsIn } from '../../src/language/negation';

test.each([
  'There was no significant difference between the groups.',
  'Training did not improve sleep.',
  'Prices remained unchanged.',
  'The two engines were similar in speed.',
  "The update didn't help.",
  'Neither drug had an effect on pain.',
])('denies an effect: %s', (sentence) => {
  expect(deniesEffect(sentence)).toBe(true);
});

test.each([
  'Training improved sleep.',
  'It lowered not only weight but also pressure.',
  'The tax reduced sales, and no town opposed it.',
  'Nobody was hurt.',
])('denies none: %s', (sentence) => {
  expect(deniesEffect(sentence)).toBe(false);
});

test('denials are counted', () => {
  expect(negationsIn('It was not fast, nor cheap, but not only for that reason.')).toBe(2);
});
