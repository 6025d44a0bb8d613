import { patched, upsertSearchAttributes } from '@temporalio/workflow';
import { traitsOf } from '../../../contracts/run/engines';
import { ColligateScore } from '../../../temporal/search-attributes';
import type { StepBrief } from '../../../activities/shared/ports';
import type { CarriedRun } from '../carried-run';
import type { RunInput } from '../../../contracts/run/run-input';
import type { Run } from '../run';
import { MENDS_WHAT_IS_NAMED } from '../in-histories';
import { judged } from './judged';
import type { Judging } from './judging';
import { bestVersion, type Version, type WholeVersion } from './versions';

/**
 * Has a text judged, and revised while that may better it: only the parts that the judge or an audit named, of the best version
 * so far. It ends where none is named, where no revision is left, where nothing was revised, or where the engine would write the
 * same again. The versions are kept as they come, so that another history, or another worker,
 * goes on between any two steps.
 */
export async function judgeAndRevise<Text>(
  run: Run<RunInput, CarriedRun, StepBrief>,
  judging: Judging<Text>,
): Promise<void> {
  const { versions, first, settings, wanting, revise } = judging;
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
    if (versions.length > settings.maxRevisions || !traitsOf(run.input.engine).asksModels) return;
    const parts = partsToMend(best, wanting(best.text));
    if (parts.length === 0) return;
    const n = versions.length + 1;
    const revised = await revise(best, parts, n);
    if (revised === null || revised.revised.length === 0) return;
    versions.push({ n, ...revised, assembled: null, judged: null });
  }
}

/** What a judge names is mended whatever the whole came to: a mean over the threshold makes no wrong citation right. */
function partsToMend<Text>({ judged: { passed, named } }: WholeVersion<Text>, wanting: string[]): string[] {
  const mendsNamed = !passed || (named.length > 0 && patched(MENDS_WHAT_IS_NAMED));
  return [...new Set(mendsNamed ? [...named, ...wanting] : wanting)];
}

/** Puts a version together and has it judged, as far as that was not done; whether it could be. */
async function isJudged<Text>(
  run: Run<RunInput, CarriedRun, StepBrief>,
  { pass, settings, chars, versions, assemble }: Judging<Text>,
  version: Version<Text>,
): Promise<boolean> {
  version.assembled ??= await assemble(version);
  version.judged = await judged(run, { pass, settings, chars, version, assembled: version.assembled });
  const best = bestVersion(versions);
  if (best !== null && run.input.searchAttributes)
    upsertSearchAttributes([{ key: ColligateScore, value: best.judged.overall }]);
  return version.judged !== null;
}
