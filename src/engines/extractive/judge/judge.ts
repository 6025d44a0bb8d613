import type { JudgeInput, JudgeOutput } from '../../../steps/judge/contract';
import type { DimensionScore } from '../../../contracts/judge/judgement';

/** What can be measured of a text, as five scores. */
export function judgeByMeasures({ document }: JudgeInput): JudgeOutput {
  const standing = document.claims.filter(({ verdict }) => verdict === 'supported').length;
  const share = document.claims.length === 0 ? 0 : standing / document.claims.length;
  const score: DimensionScore = {
    score: 1 + 4 * share,
    reason: `${standing} of ${document.claims.length} claims are supported.`,
    places: [],
  };
  return {
    by: 'measures',
    factualAccuracy: score,
    completeness: score,
    coverage: score,
    coherence: score,
    bias: score,
  };
}
