import type { ReportJudge } from '../../contracts/judge/judgement';
import { count, ordinal } from '../writing/count';

/** Under the title of a text whose best version did not pass; nothing where it passed, or was not judged. */
export function judgeNotice(judge: ReportJudge | null): string[] {
  if (judge === null || judge.passed) return [];
  const { by, overall, threshold, version, versions } = judge;
  const how = by === 'model' ? 'A judge gives' : 'What can be measured of it gives';
  const tried = versions.length - 1;
  const revised =
    tried === 0
      ? 'it was not revised'
      : `after ${count(tried, 'revision')} the ${ordinal(version - 1)} of ${versions.length} versions is the best`;
  return [`${how} this text ${overall} of 5, below the ${threshold} that it was to reach; ${revised}.`];
}
