import type { RunFacts } from '../../activities/shared/ports';
import type { Spent } from '../../activities/shared/run-step';
import { QUOTING_ENGINE, traitsOf } from '../../contracts/run/engines';
import type { Activity } from '../run/run';
import type { ReportRun } from './report-run';

const BY_WORDS = 'only what words alone find to agree or to contradict each other counts';

/**
 * Reconciles findings. Where a model named what agrees and what contradicts, a critic is asked within the budget whether the quotes
 * say so, and where none can be asked words alone decide.
 */
export async function reconcileNamed<Input extends { run: RunFacts; confirms?: true }, Result extends Spent>(
  run: ReportRun,
  activity: Activity<Input, Result>,
  request: Input,
  summary: string,
): Promise<Result> {
  const { engine } = run.input;
  if (!traitsOf(engine).asksModels) return run.carryOut(activity, request, summary);
  const confirming = { ...request, confirms: true as const };
  const reconciled = await run.askModel(activity, confirming, summary, BY_WORDS);
  if (reconciled !== null) return reconciled;
  const byWords = { ...confirming, run: { ...confirming.run, engine: QUOTING_ENGINE, models: null } };
  return run.carryOut(activity, byWords, `${summary} · without a model`);
}
