import type { TermSpace } from './term-space';

/** Sources and terms as short dense vectors, near each other where they occur with the same company. */
export interface LatentSpace {
  rank: number;
  /** Unit vectors, one row of `rank` numbers a source. */
  sources: Float64Array;
  /** One row of `rank` numbers a term; not normalised. */
  terms: Float64Array;
}

const ROUNDS = 6;

/**
 * Truncated singular value decomposition of the source–term matrix by subspace iteration (latent semantic analysis),
 * from a fixed starting matrix, so that equal input gives equal output.
 */
export function buildLatentSpace(space: TermSpace, wantedRank: number): LatentSpace {
  const sourceCount = space.terms.length;
  const termCount = space.phrases.length;
  const rank = Math.max(1, Math.min(wantedRank, sourceCount, termCount));
  let terms: Float64Array = startingMatrix(termCount, rank);
  let sources: Float64Array = new Float64Array(sourceCount * rank);
  for (let round = 0; round < ROUNDS; round++) {
    sources = timesTerms(space, terms, rank);
    orthonormalise(sources, sourceCount, rank);
    terms = timesSources(space, sources, rank, termCount);
    if (round < ROUNDS - 1) orthonormalise(terms, termCount, rank);
  }
  // A source is the sum of its terms' vectors, damped so that the strongest directions do not drown the rest.
  const scales = columnNorms(terms, termCount, rank).map((norm) => (norm > 1e-9 ? 1 / Math.sqrt(norm) : 0));
  for (let at = 0; at < sources.length; at++)
    sources[at] = (sources[at] ?? 0) / (scales[at % rank] || Infinity);
  for (let at = 0; at < terms.length; at++) terms[at] = (terms[at] ?? 0) * (scales[at % rank] ?? 0);
  normaliseRows(sources, rank);
  return { rank, sources, terms };
}

/** The cosine of a source with a vector of unit length. */
export function nearness(latent: LatentSpace, source: number, unit: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < latent.rank; at++)
    sum += (latent.sources[source * latent.rank + at] ?? 0) * (unit[at] ?? 0);
  return sum;
}

export function unitVector(vector: Float64Array): Float64Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const norm = Math.sqrt(sum);
  return norm > 1e-12 ? vector.map((value) => value / norm) : vector;
}

/** Numbers in −1…1 without a pattern, the same at every start (a linear congruential generator). */
function startingMatrix(rows: number, rank: number): Float64Array {
  let state = 12_345;
  return Float64Array.from({ length: rows * rank }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x3fffffff - 1;
  });
}

function timesTerms(space: TermSpace, terms: Float64Array, rank: number): Float64Array {
  const result = new Float64Array(space.terms.length * rank);
  space.terms.forEach((list, source) => {
    const weights = space.weights[source];
    for (let at = 0; at < list.length; at++) {
      const row = (list[at] ?? 0) * rank;
      const weight = weights?.[at] ?? 0;
      for (let column = 0; column < rank; column++) {
        result[source * rank + column] =
          (result[source * rank + column] ?? 0) + weight * (terms[row + column] ?? 0);
      }
    }
  });
  return result;
}

function timesSources(
  space: TermSpace,
  sources: Float64Array,
  rank: number,
  termCount: number,
): Float64Array {
  const result = new Float64Array(termCount * rank);
  space.terms.forEach((list, source) => {
    const weights = space.weights[source];
    for (let at = 0; at < list.length; at++) {
      const row = (list[at] ?? 0) * rank;
      const weight = weights?.[at] ?? 0;
      for (let column = 0; column < rank; column++) {
        result[row + column] = (result[row + column] ?? 0) + weight * (sources[source * rank + column] ?? 0);
      }
    }
  });
  return result;
}

/** Gram–Schmidt on the columns. */
function orthonormalise(matrix: Float64Array, rows: number, rank: number): void {
  for (let column = 0; column < rank; column++) {
    for (let earlier = 0; earlier < column; earlier++) {
      let dot = 0;
      for (let row = 0; row < rows; row++)
        dot += (matrix[row * rank + column] ?? 0) * (matrix[row * rank + earlier] ?? 0);
      for (let row = 0; row < rows; row++) {
        matrix[row * rank + column] =
          (matrix[row * rank + column] ?? 0) - dot * (matrix[row * rank + earlier] ?? 0);
      }
    }
    let norm = 0;
    for (let row = 0; row < rows; row++) norm += (matrix[row * rank + column] ?? 0) ** 2;
    norm = Math.sqrt(norm);
    for (let row = 0; row < rows; row++) {
      matrix[row * rank + column] = norm > 1e-10 ? (matrix[row * rank + column] ?? 0) / norm : 0;
    }
  }
}

function columnNorms(matrix: Float64Array, rows: number, rank: number): number[] {
  return Array.from({ length: rank }, (_, column) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += (matrix[row * rank + column] ?? 0) ** 2;
    return Math.sqrt(sum);
  });
}

function normaliseRows(matrix: Float64Array, rank: number): void {
  for (let start = 0; start < matrix.length; start += rank) {
    const row = unitVector(matrix.slice(start, start + rank));
    matrix.set(row, start);
  }
}
