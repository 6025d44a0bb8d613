import { centralityWithin } from '../../../src/reading/collection/centrality';

describe('how central a text is to its group', () => {
  const texts = [
    'Trams cut noise and car traffic in the town.',
    'Car traffic in the town fell, and noise with it.',
    'Twelve people answered by post.',
    'The library opened late.',
  ];

  it('is most for what says what the others say', () => {
    const [first = 0, second = 0, aside = 0] = centralityWithin(texts, ['a', 'a', 'a', 'b']);
    expect(Math.min(first, second)).toBeGreaterThan(aside);
  });

  it('is 1 for a text alone, and 0 for one without words', () => {
    const [, , , alone = 0] = centralityWithin(texts, ['a', 'a', 'a', 'b']);
    expect(alone).toBeCloseTo(1);
    expect(centralityWithin(['', 'Trams run.'], ['a', 'a'])[0]).toBe(0);
  });
});
