import { ended } from '../../../src/core/writing/ended';

test.each([
  ['A title', 'A title.'],
  ['A title.', 'A title.'],
  ['Is new physics needed?', 'Is new physics needed?'],
  ['It works!', 'It works!'],
  ['What is left…', 'What is left…'],
  ['为什么？', '为什么？'],
])('“%s” stands in a list of sources as “%s”', (title, told) => {
  expect(ended(title)).toBe(told);
});
