import { admit } from './admit';
import { reserveWriting } from './call-budget';
import { crossReference } from './cross-reference';
import { deepDive } from './deep-dive';
import { gather } from './gather';
import { catalogueBefore, madeForSure, outlineBefore, readingBefore, validatedBefore } from './made-before';
import { overview } from './overview';
import type { ReportRun } from './report-run';
import { writeReport } from './writing/write-report';

/** A report, pass by pass; where nothing answers the ones that are left have nothing to do. */
export async function carryOutPasses(run: ReportRun): Promise<void> {
  const { carried } = run;
  await admit(run);
  reserveWriting(run);
  const catalogue = await run.pass(
    'gather',
    () => gather(run),
    () => catalogueBefore(carried),
  );
  const outline = await run.pass(
    'overview',
    () => overview(run, catalogue),
    () => outlineBefore(carried),
  );
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
    : reading && madeForSure(reading.validatedRef ?? null, 'validatedRef');
  await run.pass(
    'report',
    async () => {
      if (reading && validatedRef)
        await writeReport(run, { catalogue, outline, sections: reading.sections, validatedRef });
    },
    () => undefined,
  );
}
