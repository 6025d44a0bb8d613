import { writingTexts } from '../../texts/writing';
import type { ReportJudge } from '../../contracts/judge/judgement';

/** For the reader of a text that was kept though its judge did not pass it; null where it passed. */
export function judgeNotice({
  by,
  overall,
  threshold,
  passed,
  version,
  versions,
}: ReportJudge): string | null {
  const shown = (score: number): string => withoutLastZero(writingTexts.score(score));
  const kept = { version, of: versions.length };
  return passed ? null : writingTexts.judged(by, shown(overall), shown(threshold), kept);
}

function withoutLastZero(score: string): string {
  return score.replace(/0$/, '');
}
