import fc from 'fast-check';
import { citedRanges } from '../../src/answers/citation-ranges';
import { compactRanges } from '../../src/answers/compact-ranges';
import { ends } from '../support/ends';

const numbersIn = (text: string): number[][] => citedRanges(text).map(({ numbers }) => numbers);

test.each([
  ['Said [2].', [[2]]],
  ['Said [1-3].', [[1, 2, 3]]],
  ['Said [1–3].', [[1, 2, 3]]],
  ['Said [1, 3].', [[1, 3]]],
  ['Said [1,2,3].', [[1, 2, 3]]],
  ['Said [1-3, 5].', [[1, 2, 3, 5]]],
  ['Said [5, 1-3].', [[5, 1, 2, 3]]],
  ['Said [1][2].', [[1], [2]]],
  ['Said [3-1].', [[1, 2, 3]]],
  ['Said [1; 4].', [[1, 4]]],
  ['Said [ 1 - 2 ].', [[1, 2]]],
  ['Said [1, 1-2].', [[1, 2]]],
  ['With the label of a passage [3: p.5-6].', [[3]]],
])('reads %s', (text, expected) => {
  expect(numbersIn(text)).toEqual(expected);
});

const NO_NUMBERS = ['[1-100000]', '[1-999]', '[0]', '[1, ]', '[1-2-3]', '[2019]', '[a]', '[]', '\\[1\\]'];
const CODE = ['`a[1]`', '``a ` [1]``', '```\na[1]\n```', '~~~\na[1]'];
const LINKS = [
  '[1](https://example.org)',
  '[as in [1] said](https://example.org)',
  '<https://example.org/[1]>',
];

test.each([...NO_NUMBERS, ...CODE, ...LINKS, '![1](x.png)', '[1]: https://example.org'])(
  'takes %s for no citation',
  (text) => expect(numbersIn(text)).toEqual([]),
);

it('reads what stands around code and links, and nothing that the text defines as a link', () => {
  expect(numbersIn('One [1] `[2]` and [3](https://example.org) two [4].')).toEqual([[1], [4]]);
  expect(numbersIn('One [1] two [2].\n\n[1]: https://example.org')).toEqual([[2]]);
});

it('tells where brackets stand', () => {
  const text = 'One [1-3]. `[1]` Two [2][5].';
  const places = citedRanges(text).map(({ start, end }) => text.slice(start, end));
  expect(places).toEqual(['[1-3]', '[2]', '[5]']);
});

test.each(['[', '`', '[1', '[1,', '[1-', '![[', '``` ', '[[1](', '1-2,', '\\['])(
  'comes to the end of a text of nothing but %s',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(() => ends(() => citedRanges(text))).not.toThrow();
  },
);

test.each([
  [[1, 2, 3], '1-3'],
  [[1, 3], '1, 3'],
  [[1, 2], '1, 2'],
  [[5, 3, 1, 2, 2], '1-3, 5'],
  [[7], '7'],
  [[], ''],
])('writes %p as %s', (numbers, expected) => {
  expect(compactRanges(numbers)).toBe(expected);
});

it('reads back what it writes', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(numbers, (given) => {
      const sorted = [...given].sort((a, b) => a - b);
      expect(numbersIn(`[${compactRanges(given)}]`)).toEqual([sorted]);
    }),
  );
});
