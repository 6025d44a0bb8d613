import { indexStatements } from '../../../src/reading/statements/statement-index';

const setOf = (text: string): Set<string> => new Set(text.split(' '));

describe('an index of what statements are about', () => {
  it('finds those that share most, rare words before common ones', () => {
    const index = indexStatements(
      ['zinc cold nurse', 'zinc wound nurse', 'oat cholesterol nurse', 'rowing strength nurse'].map(setOf),
    );
    expect(index.nearest(setOf('zinc cold nurse'), 2)).toEqual([0, 1]);
    expect(index.weightOf('nurse')).toBeLessThan(index.weightOf('nurses'));
  });

  it('finds those pairs and no others that comparing all with all would find', () => {
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

  it('does not compare thousands of one form with each other', () => {
    const form = Array.from({ length: 4_000 }, (_, index) =>
      setOf(`demographic data of study s${index} shown in table t${index} here h${index}`),
    );
    expect(indexStatements(form).closePairs().length).toBeLessThan(100_000);
  });
});
