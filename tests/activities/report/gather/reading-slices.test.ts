import { readingSlices } from '../../../../src/activities/report/gather/reading-slices';
import type { SourceEntry } from '../../../../src/contracts/source/source';

const entry = (id: number, contentChars: number): SourceEntry => ({
  id: `source-${id}`,
  url: null,
  title: `Source ${id}`,
  contentRef: 'a'.repeat(64),
  contentChars,
  summaryRef: null,
});
const chars = (slice: readonly SourceEntry[]): number =>
  slice.reduce((sum, one) => sum + one.contentChars, 0);

describe('the slices in which a batch is read', () => {
  it('hold no more text however many sources the batch has, and all of them in their order', () => {
    const batch = Array.from({ length: 2_500 }, (_, at) => entry(at, 30_000));
    const slices = readingSlices(batch);
    expect(Math.max(...slices.map(chars))).toBeLessThanOrEqual(1_000_000);
    expect(slices.flat()).toEqual(batch);
  });

  it('have a text alone that is longer than that', () => {
    const slices = readingSlices([entry(1, 10), entry(2, 5_000_000), entry(3, 10)]);
    expect(slices.map((slice) => slice.map(({ id }) => id))).toEqual([
      ['source-1'],
      ['source-2'],
      ['source-3'],
    ]);
  });

  it('are none of none', () => {
    expect(readingSlices([])).toEqual([]);
  });
});
