import { upsertSearchAttributes } from '@temporalio/workflow';
import { traitsOf } from '../../../contracts/run/engines';
import { ColligateScore } from '../../../temporal/search-attributes';
import type { RunFacts } from '../../../activities/shared/ports';
import type { CarriedRun } from '../carried-run';
import type { RunInput } from '../../../contracts/run/run-input';
import type { Run } from '../run';
import {
  bestVersion,
  type Version,
  type WholeVersion,
  type AssembledVersion,
  type JudgedFigures,
} from './versions';
import { computing } from '../activities';
import { orShortfall } from '../shortfall';
import type { JudgeSettings } from '../../../contracts/judge/rubric';

/**
 * Has a text judged, and revised until it passes: the parts that the judge named, of the best version so far. It ends as well where
 * no revision is left, or where nothing was revised. Without a model nothing is judged. The versions are kept as they come, so that
 * another history, or another worker, goes on between any two steps.
 */
export async function judgeAndRevise<Text>(
  run: Run<RunInput, CarriedRun, RunFacts>,
  judging: Judging<Text>,
): Promise<void> {
  if (!traitsOf(run.input.engine).asksModels) return;
  const { versions, first, settings, revise } = judging;
  if (versions.length === 0) versions.push({ n: 1, text: first, revised: [], assembled: null, judged: null });
  for (;;) {
    const latest = versions.at(-1);
    if (latest === undefined) return;
    if (latest.judged === null) {
      if (!(await isJudged(run, judging, latest))) return;
      // Only behind something that was done: a history that begins here would end here again otherwise.
      await judging.between?.();
    }
    const best = bestVersion(versions);
    if (best === null) return;
    if (best.judged.passed || versions.length > settings.maxRevisions) return;
    const n = versions.length + 1;
    const revised = await revise(best, best.judged.named, n);
    if (revised === null || revised.revised.length === 0) return;
    versions.push({ n, ...revised, assembled: null, judged: null });
  }
}

/** Puts a version together and has it judged, as far as that was not done; whether it could be. */
async function isJudged<Text>(
  run: Run<RunInput, CarriedRun, RunFacts>,
  { settings, versions, assemble }: Judging<Text>,
  version: Version<Text>,
): Promise<boolean> {
  version.assembled ??= await assemble(version);
  version.judged = await judged(run, { settings, version, assembled: version.assembled });
  const best = bestVersion(versions);
  if (best !== null && run.input.searchAttributes)
    upsertSearchAttributes([{ key: ColligateScore, value: best.judged.overall }]);
  return version.judged !== null;
}

const NOT_JUDGED = 'the text is not judged';

/** Has a version judged; null where it could not be, which is told. */
async function judged<Text>(
  run: Run<RunInput, CarriedRun, RunFacts>,
  {
    settings,
    version: { n, revised },
    assembled: { judgedRef },
  }: Pick<Judging<Text>, 'settings'> & {
    version: Version<Text>;
    assembled: AssembledVersion;
  },
): Promise<JudgedFigures | null> {
  const request = { run: { ...run.facts, judge: settings }, version: n, judgedRef, revised };
  const result = await orShortfall(
    run,
    () => run.askModel(computing.judgeVersion, request, `judge version ${n}`, NOT_JUDGED),
    (reason) => run.addShortfall(`Version ${n} of the text could not be judged (${reason}).`),
  );
  if (result === null) return null;
  const { judgementRef, by, scores, overall, passed, named } = result;
  return { judgementRef, by, scores, overall, passed, named };
}

interface Judging<Text> {
  settings: JudgeSettings;
  /** Part of what the run carries on; written as the work is done. Empty, or with what an earlier history left. */
  versions: Version<Text>[];
  first: Text;
  assemble: (version: Pick<Version<Text>, 'n' | 'text' | 'revised'>) => Promise<AssembledVersion>;
  /** Writes the parts that were named anew, told what is wrong with them; null where none is to be, or nothing came of it. */
  revise: (
    from: WholeVersion<Text>,
    parts: string[],
    version: number,
  ) => Promise<Pick<Version<Text>, 'text' | 'revised'> | null>;
  /** Called where the history may end: what is carried has all that there is by then. */
  between?: () => Promise<void>;
}
