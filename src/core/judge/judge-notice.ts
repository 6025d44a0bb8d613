import { FORM_DIMENSIONS } from '../../contracts/judge/dimensions';
import type { ReportJudge } from '../../contracts/judge/judgement';
import { writingTexts } from '../../texts/writing';

/** For the reader of a text that was kept though its judge did not pass it, by its overall score or else by its form; null where it passed. */
export function judgeNotice({
  scores,
  overall,
  threshold,
  passed,
  version,
  versions,
}: ReportJudge): string | null {
  if (passed) return null;
  const shown = (score: number): string => withoutLastZero(writingTexts.score(score));
  const low = FORM_DIMENSIONS.flatMap((of) => {
    const score = scores[of]?.score ?? threshold;
    return score < threshold ? [{ of, score: shown(score) }] : [];
  });
  const short = overall < threshold ? [{ of: 'overall' as const, score: shown(overall) }] : low;
  return writingTexts.judged(short, shown(threshold), { version, of: versions.length });
}

function withoutLastZero(score: string): string {
  return score.replace(/0$/, '');
}
