import { admit } from './admit';
import { reserveWriting } from './call-budget';
import { crossReference } from './cross-reference';
import { deepDive } from './deep-dive';
import { gather } from './gather';
import { waitingSources } from './steering/given-sources';
import {
  catalogueBefore,
  artifactFor,
  outlineBefore,
  readingBefore,
  validatedBefore,
} from './carried-report';
import { overview } from './overview';
import type { ReportRun } from './report-run';
import { readAdded } from './steering/added-sources';
import { gatherAdded, settleBeforeReading, takeGivenOutline } from './steering/before-reading';
import { rewriteChanged } from './steering/rewrite-changed';
import { writeReport } from './writing/write-report';

/**
 * A report, pass by pass; where nothing answers the ones that are left have nothing to do. What is added when it is written is read
 * in a short pass of its own; where nothing had answered before, the passes begin anew with it.
 */
export async function carryOutPasses(run: ReportRun): Promise<void> {
  const { carried } = run;
  await admit(run);
  reserveWriting(run);
  do await carryOutOnce(run);
  while (await beginsAnew(run));
  carried.closing = true;
}

async function carryOutOnce(run: ReportRun): Promise<void> {
  const { carried } = run;
  await run.pass(
    'gather',
    () => gather(run),
    () => catalogueBefore(carried),
  );
  await run.pass(
    'overview',
    async () => {
      const gathered = await gatherAdded(run);
      const { wantedOutlineRef } = carried;
      if (wantedOutlineRef === undefined) await overview(run, gathered);
      else await takeGivenOutline(run, wantedOutlineRef);
    },
    () => undefined,
  );
  await settleBeforeReading(run);
  const catalogue = catalogueBefore(carried);
  const outline = outlineBefore(carried);
  const reading = await run.pass(
    'deep-dive',
    () => deepDive(run, catalogue, outline),
    () => readingBefore(carried),
  );
  const validatedRef = run.input.synthesis.enableMultiPass
    ? await run.pass(
        'cross-reference',
        async () => reading && crossReference(run, { catalogue, outline, reading }),
        () => validatedBefore(carried),
      )
    : reading && artifactFor(reading.validatedRef ?? null, 'validatedRef');
  await run.pass(
    'report',
    async () => {
      if (!reading || !validatedRef) return;
      await run.inbox.idle();
      if (waitingSources(run) > 0) await readAdded(run);
      await writeReport(run, {
        catalogue: catalogueBefore(carried),
        outline: outlineBefore(carried),
        sections: readingBefore(carried)?.sections ?? reading.sections,
        validatedRef: validatedBefore(carried) ?? validatedRef,
      });
    },
    () => undefined,
  );
}

/** What was added since: read now, or, where there is nothing yet for it to join, a reason to begin anew. */
async function beginsAnew(run: ReportRun): Promise<boolean> {
  const { carried } = run;
  for (;;) {
    await run.inbox.idle();
    if (waitingSources(run) === 0) return false;
    if (carried.noAnswer === true) {
      await gatherAdded(run);
      carried.finishedPasses = ['gather'];
      delete carried.noAnswer;
      delete carried.readingBegun;
      return true;
    }
    await rewriteChanged(run, await readAdded(run));
    await run.continueAsNewIfLong();
  }
}
