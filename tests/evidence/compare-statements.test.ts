import { indexStatements } from '../../src/evidence/clashes';
import { compareStatements, type Comparison } from '../../src/evidence/compare-statements';
import {
  measuredValue,
  type MeasuredValue,
  readStatement,
  valuesContradict,
} from '../../src/evidence/statement';
import { smoothedIdf } from '../../src/text/collection';
import { compatible, conditional, contradicting } from './sentence-pairs.json';

describe('compareStatements', () => {
  interface SentencePair {
    what: string;
    a: string;
    b: string;
    titleA?: string;
    titleB?: string;
  }

  function compared(
    { a, b, titleA, titleB }: Omit<SentencePair, 'what'>,
    isSwapped = false,
  ): Comparison | null {
    const pair = [readStatement(a, titleA), readStatement(b, titleB ?? titleA)] as const;
    const [one, other] = isSwapped ? [pair[1], pair[0]] : pair;
    return compareStatements(one, other, (stem) => smoothedIdf(stem, 0, 0));
  }

  const clash = (pair: SentencePair): boolean => compared(pair)?.relation === 'clash';

  /** The names of the pairs that are taken otherwise than they should be: the fewer the better, and these are known. */
  const unlike = (pairs: readonly SentencePair[], wanted: boolean): string[] =>
    pairs.filter((pair) => clash(pair) !== wanted).map(({ what }) => what);

  it('finds all known contradictions but three', () => {
    expect(unlike(contradicting, true)).toEqual([
      'did not differ',
      'one of several outcomes',
      'a p value above the limit',
    ]);
  });

  it('finds none in compatible pairs but two', () => {
    expect(unlike(compatible, false)).toEqual(['a combination', 'mass with and without fat']);
  });

  it('finds contradictions of conditions', () => {
    expect(conditional.filter(clash).length).toBeGreaterThanOrEqual(11);
  });

  it('is symmetric', () => {
    for (const pair of [...contradicting, ...conditional, ...compatible])
      expect(compared(pair, true)?.relation).toBe(compared(pair)?.relation);
  });

  it.each(
    Object.entries({
      'Cover crops increased soil carbon.': 'Soil carbon was increased by cover crops.',
      'Sleep time rose by 12.4% with magnesium.': 'Sleep time rose by 12% with magnesium.',
      'Body weight did not change with magnesium.': 'There was no effect of magnesium on body weight.',
      'In the survey two thirds of small firms said that remote work raised productivity in the office.':
        'Remote work raised productivity in the office, two thirds of small firms said in the survey.',
    }),
  )('agrees on %s', (a, b) => {
    expect(compared({ a, b })).toEqual({ relation: 'agree' });
  });

  it('uses the titles to see that two statements are on the same subject', () => {
    const pair = {
      a: 'Magnesium tablets did not change the sleep efficiency of nurses: it was 81% before and after.',
      b: 'In the trial, which lasted long, magnesium tablets significantly increased the sleep efficiency of nurses, while it did not change with placebo.',
      titleA: 'Magnesium and sleep',
    };
    expect(compared(pair)).toEqual({ relation: 'clash', kind: 'direction', verdicts: ['none', 'more'] });
    expect(compared({ ...pair, titleB: 'A plain trial' })).toBeNull();
  });

  it('returns null for other languages', () => {
    const german = 'Vitamin D verbesserte die Knochendichte deutlich.';
    expect(compared({ a: '维生素D补充剂改善了骨密度。', b: german })).toBeNull();
  });
});

describe('measuredValue', () => {
  function measured(text: string): MeasuredValue {
    const value = measuredValue(text);
    if (value === null) throw new Error(`No value is measured in “${text}”.`);
    return value;
  }

  it('reads value, unit and all errors', () => {
    const said = '67.4 ± 0.5 km/s/Mpc';
    const value = { value: 67.4, error: 0.5, unit: 'km/s/Mpc', said };
    expect(measured(`The satellite gives ${said}.`)).toMatchObject(value);
    expect(measured('Lenses give 73.3 km/s/Mpc, with an uncertainty of 2%.').error).toBeCloseTo(1.466);
    const both = 'They give 3.0 ± 0.3 s, with a further systematic uncertainty of 0.4 s.';
    expect(measured(both).error).toBeCloseTo(0.5);
    expect(measured('The crater is 66.0 ± 0.1 million years old.').unit).toBe('million years');
  });

  it('returns null where values differ, have no error or belong to others', () => {
    expect(measuredValue('It fell from 41.0 ± 0.5 s to 33.0 ± 0.4 s.')).toBeNull();
    expect(measuredValue('They find 74.5 s ± 0.8 s at first, and 67.4 s later.')).toBeNull();
    expect(measuredValue('The difference from the value of 67.4 ± 0.5 s is large.')).toBeNull();
    expect(measuredValue('The bridge is 120 m long.')).toBeNull();
  });

  it('areApart is true from three errors on, across units', () => {
    const apart = (one: string, other: string): boolean =>
      valuesContradict(measured(`It is ${one}.`), measured(`It is ${other}.`));
    expect(apart('878.4 ± 0.5 s', '887.7 ± 2.2 s')).toBe(true);
    expect(apart('67.4 ± 0.5 s', '67.9 ± 1.5 s')).toBe(false);
    expect(apart('2.50 ± 0.01 m', '250 ± 2 cm')).toBe(false);
    expect(apart('67.4 ± 0.5 km/s/Mpc', '1,200 ± 30 km/s')).toBe(false);
  });
});

describe('indexStatements', () => {
  const setOf = (text: string): Set<string> => new Set(text.split(' '));

  it('finds the nearest statements, rare words first', () => {
    const index = indexStatements(
      ['zinc cold nurse', 'zinc wound nurse', 'oat cholesterol nurse', 'rowing strength nurse'].map(setOf),
    );
    expect(index.nearest(setOf('zinc cold nurse'), 2)).toEqual([0, 1]);
    expect(index.weightOf('nurse')).toBeLessThan(index.weightOf('nurses'));
  });

  it('finds the same close pairs as a comparison of all pairs', () => {
    const wordOf = (index: number, at: number): string => `w${(index * 7 + at * (1 + (index % 3))) % 47}`;
    const sets = Array.from(
      { length: 120 },
      (_, index) =>
        new Set([0, 1, 2, 3, 4, 5, 6, 7].slice(0, 5 + (index % 4)).map((at) => wordOf(index, at))),
    );
    const close: string[] = [];
    sets.forEach((one, first) => {
      sets.forEach((other, second) => {
        const shared = [...one].filter((member) => other.has(member)).length;
        if (first < second && shared / (one.size + other.size - shared) >= 0.7)
          close.push(`${first} ${second}`);
      });
    });
    expect(close.length).toBeGreaterThan(5);
    const found = indexStatements(sets)
      .closePairs()
      .map((pair) => pair.join(' '));
    expect(found.sort()).toEqual(close.sort());
  });

  it('does not compare thousands of similar statements', () => {
    const form = Array.from({ length: 4_000 }, (_, index) =>
      setOf(`demographic data of study s${index} shown in table t${index} here h${index}`),
    );
    expect(indexStatements(form).closePairs().length).toBeLessThan(100_000);
  });
});
