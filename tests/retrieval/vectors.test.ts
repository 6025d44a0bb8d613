import fc from 'fast-check';
import {
  joinVectors,
  nearestVectors,
  packVectors,
  readVectors,
  type Vectors,
} from '../../src/retrieval/vectors';

const vectorsOf = (all: number[][]): Vectors => {
  const vectors = readVectors(packVectors(all), all.length);
  if (vectors === null) throw new Error('they were not read');
  return vectors;
};

describe('vectors', () => {
  it('are nearest by their direction, whatever their length', () => {
    const vectors = vectorsOf(
      ['1 0 0', '0 9 0.1', '-1 0 0', '0.6 0.5 0'].map((row) => row.split(' ').map(Number)),
    );
    expect(nearestVectors(vectors, [0.001, 0, 0], 3)).toEqual([0, 3, 1]);
  });

  it('find themselves, however they are kept', () => {
    const vector = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 20 }), (all) => {
        // Each has a direction of its own.
        const apart = all.map((values, at) => values.concat(all.map((_, own) => (own === at ? 90 : 0))));
        const vectors = vectorsOf(apart);
        for (const [place, wanted] of apart.entries())
          expect(nearestVectors(vectors, wanted, 1)).toEqual([place]);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('are not read where there are others than expected, nor joined or compared where they differ in length', () => {
    expect(readVectors(packVectors([[1, 2]]), 2)).toBeNull();
    expect(joinVectors([vectorsOf([[1, 2]]), vectorsOf([[1, 2, 3]])])).toBeNull();
    expect(joinVectors([vectorsOf([[1, 2]]), vectorsOf([]), vectorsOf([[3, 4]])])?.count).toBe(2);
    expect(nearestVectors(vectorsOf([[1, 2]]), [1, 2, 3], 1)).toEqual([]);
  });
});
