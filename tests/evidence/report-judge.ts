import { JUDGE_DIMENSIONS, mapDimensions, type ReportJudge } from '../../src/contracts/judgement';

const REF = 'c'.repeat(64);

/** A judgement of a text with so many versions, none of which passed. */
export function reportJudge(versions: number): ReportJudge {
  const dimension = { score: 3, reason: 'It is so so.', places: [] };
  const scores = mapDimensions(JUDGE_DIMENSIONS, () => 3);
  return {
    by: 'model',
    scores: mapDimensions(JUDGE_DIMENSIONS, () => dimension),
    accuracyBound: 5,
    overall: 3,
    threshold: 3.5,
    passed: false,
    version: 1,
    versions: Array.from({ length: versions }, (_none, at) => ({
      n: at + 1,
      by: 'model' as const,
      scores,
      overall: 3,
      passed: false,
      revised: [],
      reportRef: REF,
      markdownRef: REF,
    })),
  };
}
