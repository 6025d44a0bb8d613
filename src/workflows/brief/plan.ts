import { CALL_SIZES } from '../../core/budget/call-estimates';
import { worstCase } from '../run/call-costs';
import { activities } from './activities';
import type { BriefRun } from './brief-run';
import type { Gathered, Planned } from './carried-brief';

/** What each part is going to tell, in how many words, and whether all of it is written in one call. */
export async function plan(run: BriefRun, { materialRef, subtopics }: Gathered): Promise<Planned> {
  run.plan(1);
  const { planRef, isOneCall, parts } = await run.ask(
    activities.planBrief,
    { run: run.brief, materialRef },
    'plan',
    worstCase(run, 'plan', CALL_SIZES.outline(subtopics.length)),
  );
  run.carried.planned = { planRef, isOneCall, parts: parts.map(({ id }) => ({ id })) };
  return run.carried.planned;
}
