import fc from 'fast-check';
import { numbersIn, roundsTo, sameNumber } from '../../src/text/numbers';
import { directionWords, negationsIn, reportedEffects, reportsNoEffect } from '../../src/text/polarity';
import { createTermFinder, placedWords, terms } from '../../src/text/words';

describe('numbersIn', () => {
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
  ])('finds none in %s', (text) => {
    expect(told(text)).toEqual([]);
  });

  test('marks years and dates', () => {
    const dated = numbersIn('On 12 March 2010, in 2012, at 2010-03-12 and in the 1990s 2000 patients came');
    expect(dated.map(({ value, isDate }) => (isDate ? value : -value))).toEqual([
      12, 2010, 2012, 2010, 3, 12, 1990, -2000,
    ]);
  });

  test('marks approximate numbers', () => {
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
  ])('sameNumber of %s and %s is %s', (one, other, expected) => {
    const [a] = numbersIn(one);
    const [b] = numbersIn(other);
    expect(a !== undefined && b !== undefined && sameNumber(a, b)).toBe(expected);
  });

  test('roundsTo holds in one direction only', () => {
    const [rounded, exact] = [numbersIn('12 %')[0], numbersIn('12.3 %')[0]];
    expect(rounded !== undefined && exact !== undefined && roundsTo(rounded, exact)).toBe(true);
    expect(rounded !== undefined && exact !== undefined && roundsTo(exact, rounded)).toBe(false);
  });

  const pieces = fc.constantFrom(
    ...'1|12|,000|.5|%| |-|–|−|±|mg| million|two| in |five|[|]'.split('|'),
    ...'March |2010|\n|\u00a0|hundred| and |IL|(|€|/d|th|٣|😀|²'.split('|'),
  );

  test('returns ordered offsets for any text', () => {
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

  test('reads grouped and plain digits alike', () => {
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

  test('reads hostile texts in linear time', () => {
    const long = [
      ' '.repeat(100_000),
      '9'.repeat(100_000),
      '[1,'.repeat(30_000),
      'one hundred '.repeat(10_000),
      '1. '.repeat(30_000),
    ];
    for (const text of long) expect(() => numbersIn(`${text}1`)).not.toThrow();
  });
});

describe('termFinder', () => {
  const TEXTS = [
    'The dying patients did not die of ties, tied ankles, lying or lies; skies, sky, ski, skis and flying flies fly.',
    'Ageing, aging and aged adults; using, used, uses; agreed, agrees. It was d’s and x\'s, "p’s" and A.B. 3.5 mg/kg.',
    "Vitamin-D's well-being was self-reported... end.- -start 'quoted' co-op. e.g. i.e. a-b-c -- x–y—z.",
    'Übergewicht und Ernährung, naïve café ΣΊΣΥΦΟΣ, İstanbul, 漢字 かな, 𝒜𝓑-𝒞 and \ud835 alone, ½ cup, ⅷ, x².',
    'COVID-19 in 2020–2021: β-carotene, ω-3, n-3, IL-6; P<0.05, 95 % CI 1.2-3.4, 12,000 people.',
    '',
  ];

  const all = new Set(TEXTS.flatMap(terms));

  it.each(TEXTS)('finds every term of a text: %s', (text) => {
    expect([...createTermFinder(all)(text)]).toEqual([...new Set(terms(text))]);
  });

  it('finds only the wanted terms, in order', () => {
    for (const term of all) {
      const wanted = new Set([term]);
      for (const text of TEXTS) {
        expect([...createTermFinder(wanted)(text)]).toEqual(terms(text).includes(term) ? [term] : []);
      }
    }
    expect([
      ...createTermFinder(new Set(terms('sleeps walking')))('He walked, then slept and walks in his sleep.'),
    ]).toEqual(['walk', 'sleep']);
  });
});

describe('negation', () => {
  test.each([
    'There was no significant difference between the groups.',
    'Training did not improve sleep.',
    'Prices remained unchanged.',
    'The two engines were similar in speed.',
    "The update didn't help.",
    'Neither drug had an effect on pain.',
  ])('deniesEffect is true for %s', (sentence) => {
    expect(reportsNoEffect(sentence)).toBe(true);
  });

  test.each([
    'Training improved sleep.',
    'It lowered not only weight but also pressure.',
    'The tax reduced sales, and no town opposed it.',
    'Nobody was hurt.',
  ])('deniesEffect is false for %s', (sentence) => {
    expect(reportsNoEffect(sentence)).toBe(false);
  });

  test('negationsIn counts negations', () => {
    expect(negationsIn('It was not fast, nor cheap, but not only for that reason.')).toBe(2);
  });
});

describe('words of direction', () => {
  function told(text: string): string[] {
    const words = placedWords(text);
    return directionWords(text, words).map(
      ({ at, sense, isNegated }) => `${isNegated ? 'not ' : ''}${words[at]?.word ?? ''} ${sense}`,
    );
  }

  test.each([
    ['Sales rose while costs declined.', ['rose 1', 'declined -1']],
    ['Pain was lower in this group.', ['lower -1']],
    ['It did not increase the yield.', ['not increase 1']],
    ['There was a significantly greater reduction in pain.', ['reduction -1']],
    ['They had less weight loss.', ['loss 1']],
    ['The decrease in pain was greater with massage.', ['decrease -1']],
    ['Sales rose by more than 90 %.', ['rose 1']],
    ['Nothing was said of it.', []],
  ])('%s', (text, expected) => {
    expect(told(text)).toEqual(expected);
  });

  test('“improved” is an effect without a direction', () => {
    expect(told('Sleep improved.')).toEqual([]);
    const effects = reportedEffects('Sleep improved, and costs rose, but sales did not fall.');
    expect(effects).toEqual(['better', 'more', 'none']);
    expect(reportedEffects('Sleep was measured.')).toEqual([]);
  });
});
