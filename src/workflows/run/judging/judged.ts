import type { StepBrief } from '../../../activities/shared/ports';
import type { RunInput } from '../../../contracts/run/run-input';
import { CALL_SIZES } from '../../../core/budget/call-estimates';
import { computing } from '../activities';
import { worstCase } from '../call-costs';
import type { CarriedRun } from '../carried-run';
import { JUDGED_CHARS } from '../in-histories';
import { orShortfall } from '../shortfall';
import type { Run } from '../run';
import type { Judging } from './judging';
import type { AssembledVersion, JudgedFigures, Version } from './versions';

/** What a warning says of a judge without a model. */
const BY_MEASURES = 'it was judged by what can be measured of it';

/** Has a version judged, by what can be measured of it where no model can be asked; null where it could not be, which is told. */
export async function judged<Text>(
  run: Run<RunInput, CarriedRun, StepBrief>,
  {
    pass,
    settings,
    chars = JUDGED_CHARS,
    version: { n, revised },
    assembled: { judgedRef },
  }: Pick<Judging<Text>, 'pass' | 'settings' | 'chars'> & {
    version: Version<Text>;
    assembled: AssembledVersion;
  },
): Promise<JudgedFigures | null> {
  const request = { run: { ...run.brief, judge: settings }, version: n, judgedRef, revised };
  const cost = worstCase(run, pass, CALL_SIZES.judge(chars), 'critic');
  const result = await orShortfall(
    run,
    () => run.ask(computing.judgeVersion, request, `judge version ${n}`, cost, BY_MEASURES),
    (reason) => run.addShortfall(`Version ${n} of the text could not be judged (${reason}).`),
  );
  if (result === null) return null;
  const { judgementRef, by, scores, overall, passed, named } = result;
  return { judgementRef, by, scores, overall, passed, named };
}
