import { withoutLeadIn } from '../../../src/core/writing/lead-in';

test.each([
  ['We found that prices fell.', '… prices fell.'],
  ['The authors conclude that, of all, prices fell.', 'The authors conclude that, of all, prices fell.'],
  ['The authors conclude that prices fell in towns.', '… prices fell in towns.'],
  // Its marks tell that others found it.
  ['Prices fell [3] in towns [1, 4-6].', 'Prices fell [3] in towns [1, 4-6].'],
])('“%s” is told as “%s”', (quote, told) => {
  expect(withoutLeadIn(quote)).toBe(told);
});

test.each([
  'We did not find that prices fell.',
  'It was not reported that prices fell.',
  'It has been reported that prices fell.',
  'Previous studies found that prices fell.',
  'These results suggest that prices fell.',
  'The town council hoped that prices fell.',
  'The authors conclude that prices fell. They recommend trams.',
  'Prices fell in the year that followed.',
])('“%s” is told as it is', (quote) => {
  expect(withoutLeadIn(quote)).toBe(quote);
});
