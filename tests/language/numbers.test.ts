import fc from 'fast-check';
import { numbersIn } from '../../src/language/numbers';
import { roundsTo, sameNumber } from '../../src/language/same-number';

/** `value unit` of each number, in the text's order. */
function told(text: string): string[] {
  return numbersIn(text).map(({ value, unit }) => `${value} ${unit}`.trim());
}

test.each<[string, string[]]>([
  ['1,200,000 people or 1.2 million', ['1200000 person', '1200000']],
  ['a risk of .05, and 0·05 in the other', ['0.05', '0.05']],
  ['40 %, 40% and 40 per cent', ['40 %', '40 %', '40 %']],
  ['twenty-one patients in three hundred and five thousand', ['21 person', '305000']],
  ['a hundred adults, and a doctor', ['100 person']],
  ['two in five of them', ['40 %']],
  ['3–5 weeks, 12 to 16 %', ['3 wk', '5 wk', '12 %', '16 %']],
  ['4.0 ± 6.4 mg/day', ['4 mg/d', '6.4 mg/d']],
  ['from −1.15 kg (-2.11 to 0.19)', ['-1.15 kg', '-2.11', '0.19']],
  ['$40 and £3 million', ['40 $', '3000000 £']],
  ['after week 12 it doubled', ['12 wk', '2 ×']],
  ['10 ug and 10 μg', ['10 µg', '10 µg']],
  ['5mg of it, 30 minutes a day', ['5 mg', '30 min/d']],
])('%s', (text, expected) => {
  expect(told(text)).toEqual(expected);
});

test.each([
  'IL-6, GPT-4, CO2 and 5-HT in 3D',
  'the following steps:\n\n1.',
  'as was shown [3], and again [4, 6–8]',
  '1. The first\n2) the 2nd',
  'release 2.3.1 of Table 2 on type 2 diabetes',
  'one of them and no one else',
])('%s: no number', (text) => {
  expect(told(text)).toEqual([]);
});

test('years and dates are known as such', () => {
  const dated = numbersIn('On 12 March 2010, in 2012, at 2010-03-12 and in the 1990s 2000 patients came');
  expect(dated.map(({ value, isDate }) => (isDate ? value : -value))).toEqual([
    12, 2010, 2012, 2010, 3, 12, 1990, -2000,
  ]);
});

test('what is only about right is known as such', () => {
  expect(numbersIn('about 30 of 50').map(({ isApproximate }) => isApproximate)).toEqual([true, false]);
});

test.each([
  ['12.3 %', '12 %', true],
  ['12.3 %', '13 %', false],
  ['12 %', '12 kg', false],
  ['1.5 g', '1,500 mg', true],
  ['1.2 million', '1,234,567', true],
  ['2 weeks', '14 days', true],
  ['40 percent', 'two in five', true],
  ['about 40 %', '39 %', true],
  ['1 year', '12 months', true],
  ['5 mg/day', '5 mg', true],
  ['−4 kg', '4 kg', false],
])('%s and %s: %s', (one, other, expected) => {
  const [a] = numbersIn(one);
  const [b] = numbersIn(other);
  expect(a !== undefined && b !== undefined && sameNumber(a, b)).toBe(expected);
});

test('a rounded number does not stand for a more exact one', () => {
  const [rounded, exact] = [numbersIn('12 %')[0], numbersIn('12.3 %')[0]];
  expect(rounded !== undefined && exact !== undefined && roundsTo(rounded, exact)).toBe(true);
  expect(rounded !== undefined && exact !== undefined && roundsTo(exact, rounded)).toBe(false);
});

const pieces = fc.constantFrom(
  ...'1|12|,000|.5|%| |-|–|−|±|mg| million|two| in |five|[|]'.split('|'),
  ...'March |2010|\n|\u00a0|hundred| and |IL|(|€|/d|th|٣|😀|²'.split('|'),
);

test('places are those of the numbers in any text, in order, and do not overlap', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      let last = 0;
      for (const { value, start, end, endOfUnit, isWord } of numbersIn(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(endOfUnit).toBeGreaterThanOrEqual(end);
        expect(endOfUnit).toBeLessThanOrEqual(text.length);
        expect(text.slice(start, end)).toMatch(isWord ? /^\p{L}.*\p{L}$/su : /\d/);
        expect(Number.isFinite(value)).toBe(true);
        last = end;
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a number is the same however it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (value) => {
      const [plain, grouped] = [String(value), value.toLocaleString('en-US')].map(
        (text) => numbersIn(text)[0],
      );
      expect(plain?.value).toBe(value);
      expect(grouped?.value).toBe(value);
    }),
  );
});

test('no text takes long', () => {
  const long = [
    ' '.repeat(100_000),
    '9'.repeat(100_000),
    '[1,'.repeat(30_000),
    'one hundred '.repeat(10_000),
    '1. '.repeat(30_000),
  ];
  for (const text of long) expect(() => numbersIn(`${text}1`)).not.toThrow();
});
