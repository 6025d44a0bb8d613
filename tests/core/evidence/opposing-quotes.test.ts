import { opposingQuotes } from '../../../src/core/evidence/opposing-quotes';
import type { Viewpoint } from '../../../src/contracts/report/finding';

function side(...places: [sourceId: string, start: number][]): Viewpoint {
  const evidence = places.map(([sourceId, start]) => ({ sourceId, start, end: start + 1, quote: 'q' }));
  return { statement: 's', citations: evidence.map(({ sourceId }) => sourceId), evidence };
}
const quotes = (...viewpoints: Viewpoint[]): string => opposingQuotes({ viewpoints });

test('the same quotes against each other are the same, in whatever order they come', () => {
  const known = quotes(side(['a', 10], ['b', 0]), side(['c', 5]));
  expect(quotes(side(['c', 5]), side(['b', 0], ['a', 10]))).toBe(known);
  expect(quotes(side(['c', 5]), side(['b', 0], ['a', 10], ['b', 0]))).toBe(known);
});

test('other quotes, or other sides, are another conflict', () => {
  const known = quotes(side(['a', 10], ['b', 0]), side(['c', 5]));
  expect(quotes(side(['a', 11], ['b', 0]), side(['c', 5]))).not.toBe(known);
  expect(quotes(side(['a', 10]), side(['b', 0], ['c', 5]))).not.toBe(known);
  expect(quotes(side(['a', 10], ['b', 0]))).not.toBe(quotes(side(['a', 10]), side(['b', 0])));
});
