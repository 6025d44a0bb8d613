import { closeSets } from '../../../src/core/agreement/close-sets';

const setOf = (text: string): Set<string> => new Set(text.split(' '));

describe('sets that share most of their members', () => {
  it('are found in pairs, in order', () => {
    expect(
      closeSets(
        [
          'rowing raised leg strength',
          'zinc helps colds soon',
          'rowing lowered leg strength',
          'leg strength',
        ].map(setOf),
      ),
    ).toEqual([[0, 2]]);
  });

  it('are those and no others that comparing all with all would find', () => {
    const sets = Array.from(
      { length: 120 },
      (_, index) =>
        new Set(
          Array.from(
            { length: 5 + (index % 4) },
            (_unused, at) => `w${(index * 7 + at * (1 + (index % 3))) % 47}`,
          ),
        ),
    );
    const close: [number, number][] = [];
    sets.forEach((one, first) => {
      sets.forEach((other, second) => {
        const shared = [...one].filter((member) => other.has(member)).length;
        if (first < second && one.size >= 3 && shared / (one.size + other.size - shared) >= 0.6)
          close.push([first, second]);
      });
    });
    expect(close.length).toBeGreaterThan(20);
    expect(closeSets(sets)).toEqual(close);
  });

  it('are looked for in little time where thousands of texts share a form', () => {
    const form = Array.from({ length: 4_000 }, (_, index) =>
      setOf(`demographic data of study s${index} are shown in table`),
    );
    const started = process.cpuUsage();
    expect(closeSets(form)).toEqual([]);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });
});
