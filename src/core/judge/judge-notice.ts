import type { ReportJudge } from '../../contracts/judge/judgement';
import type { Texts } from '../../texts/texts';

/** For the reader of a text that was kept though its judge did not pass it; null where it passed. */
export function judgeNotice(
  { by, overall, threshold, passed, version, versions }: ReportJudge,
  { writing }: Texts,
): string | null {
  const shown = (score: number): string => withoutLastZero(writing.score(score));
  const kept = { version, of: versions.length };
  return passed ? null : writing.judged(by, shown(overall), shown(threshold), kept);
}

/** 3.46 does not look like 3.5. */
function withoutLastZero(score: string): string {
  return score.replace(/0$/, '');
}
