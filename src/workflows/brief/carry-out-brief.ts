import { admit } from './admit';
import type { BriefRun } from './brief-run';
import { reserveWriting } from './call-budget';
import type { Gathered, Planned } from './carried-brief';
import { gather } from './gather';
import { judgeBrief } from './judge-brief';
import { plan } from './plan';
import { writeBrief } from './writing/write-brief';

/** A brief, pass by pass. */
export async function carryOutBrief(run: BriefRun): Promise<void> {
  const { carried } = run;
  const subtopicsRef = await admit(run);
  reserveWriting(run);
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

/** What a finished pass has left for sure. */
function made<Made>(kept: Made | null): Made {
  if (kept === null) throw new Error('A finished pass of a brief has left nothing.');
  return kept;
}
