import type { ReportJudge } from '../../contracts/judge/judgement';
import { count } from '../writing/count';

/** For the reader of a text that was kept though its judge did not pass it; null where it passed. */
export function judgeNotice({
  by,
  overall,
  threshold,
  passed,
  version,
  versions,
}: ReportJudge): string | null {
  if (passed) return null;
  const judge = by === 'model' ? 'The judge' : 'The judge, which measures the text and does not read it,';
  const kept =
    versions.length === 1
      ? 'the only version, which was not revised'
      : `version ${version} of ${versions.length}, the best after ${count(versions.length - 1, 'revision')}`;
  return `${judge} did not pass this text: ${shown(overall)} of 5, where ${shown(threshold)} would pass. It is ${kept}.`;
}

/** 3.46 does not look like 3.5. */
function shown(score: number): string {
  return score.toFixed(2).replace(/0$/, '');
}
