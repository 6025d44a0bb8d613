import type { BriefRun, Gathered, Planned } from './carried-brief';
import { gather } from './gather';
import { judgeBrief } from './judge-brief';
import { writeBrief } from './writing/write-brief';
import { activities } from './activities';
import { isAtItsBeginning, keepWarnings } from '../run/carried-run';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { activities as shared } from '../run/activities';
import { invalidInput } from '../run/invalid-input';

export async function carryOutBrief(run: BriefRun): Promise<void> {
  const { carried } = run;
  const subtopicsRef = await admit(run);
  const gathered = await run.pass(
    'gather',
    () => gather(run, subtopicsRef),
    () => made<Gathered>(carried.gathered),
  );
  const planned = await run.pass(
    'plan',
    () => plan(run, gathered),
    () => made<Planned>(carried.planned),
  );
  await run.pass(
    'write',
    () => writeBrief(run, gathered, planned),
    () => undefined,
  );
  await run.pass(
    'judge',
    () => judgeBrief(run, gathered, planned),
    () => undefined,
  );
}

function made<Made>(kept: Made | null): Made {
  if (kept === null) throw new Error('A finished pass of a brief has left nothing.');
  return kept;
}

async function plan(run: BriefRun, gathered: Gathered): Promise<Planned> {
  run.plan(1);
  const { planRef, isOneCall, parts } = await run.ask(
    activities.planBrief,
    { run: run.facts, materialRef: gathered.materialRef },
    'plan',
  );
  run.carried.planned = { planRef, isOneCall, parts };
  return run.carried.planned;
}

/**
 * Before anything is done for a brief: its subtopics are stored and looked at, and so is its template, so that whoever gave
 * something else is told at once; the step versions are pinned where it came without, and the prompts that its steps have
 * elsewhere; and what an earlier run of the same id told is forgotten. Gives where the subtopics are; null where they were gathered.
 */
async function admit(run: BriefRun): Promise<ArtifactRef | null> {
  const { input, carried } = run;
  if (!isAtItsBeginning(carried)) return null;
  const { runId, kind, engine, question, subtopics, subtopicsRef, brief, asOf } = input;
  const request = { runId, engine, question, subtopics, subtopicsRef, brief, asOf };
  const admitted = await run.carryOut(activities.admitBrief, request, 'look at the subtopics');
  if (admitted.problems.length > 0) throw invalidInput(kind, admitted.problems);
  const { stepVersions, promptsRef, formerLogBegunAt: begunAt } = admitted;
  // The run's brief has the same record, and so has the next history.
  if (Object.keys(input.stepVersions).length === 0) Object.assign(input.stepVersions, stepVersions);
  // They are stored now: no further history has to carry them.
  input.subtopicCount ??= subtopics?.length;
  delete input.subtopics;
  input.subtopicsRef = admitted.subtopicsRef;
  if (promptsRef !== null) run.usePrompts(promptsRef);
  keepWarnings(carried, admitted.warnings);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
  return admitted.subtopicsRef;
}
