import { activities } from './activities';
import type { BriefRun } from './brief-run';
import { costOfPlan } from './call-costs';
import type { Gathered, Planned } from './carried-brief';

/** What each part is going to tell, in how many words, and whether all of it is written in one call. */
export async function plan(run: BriefRun, gathered: Gathered): Promise<Planned> {
  run.plan(1);
  const { planRef, isOneCall, parts } = await run.ask(
    activities.planBrief,
    { run: run.brief, materialRef: gathered.materialRef },
    'plan',
    costOfPlan(run, gathered),
  );
  run.carried.planned = { planRef, isOneCall, parts };
  return run.carried.planned;
}
