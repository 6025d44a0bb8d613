import { crossReference } from './cross-reference';
import { deepDive } from './deep-dive';
import { gather } from './gather';
import { givenSources } from './steering/given-sources';
import {
  catalogueBefore,
  artifactFor,
  outlineBefore,
  readingBefore,
  validatedBefore,
  type ReportRun,
  type Catalogue,
  type FoundSection,
  type Outline,
} from './carried-report';
import { overview } from './overview';
import { hasMoreToRead, repeatsPasses } from './steering/added-sources';
import { gatherAdded, settleBeforeReading, takeGivenOutline } from './steering/before-reading';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { eachSection } from './each-section';
import { judgeReport } from './writing/judge-report';
import { findSources, searchForGaps } from './search-sources';
import { writeSection } from './writing/write-section';
import { writeSummary } from './writing/write-summary';
import { CancellationScope } from '@temporalio/workflow';
import { activities as shared } from '../run/activities';
import { isAtItsBeginning } from '../run/carried-run';
import { invalidInput } from '../run/invalid-input';
import { activities } from './activities';
import { missingSources } from './input/read-report-start';

/**
 * A report, pass by pass. Where nothing answers, the passes that are left have nothing to do. While sources are added, the passes
 * are repeated over all sources.
 */
export async function carryOutPasses(run: ReportRun): Promise<void> {
  await admit(run);
  do await carryOutOnce(run);
  while (await repeatsPasses(run));
  run.carried.closing = true;
}

async function carryOutOnce(run: ReportRun): Promise<void> {
  const { carried } = run;
  await run.pass(
    'gather',
    async () => {
      await findSources(run);
      return gather(run);
    },
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
      if (!(await hasMoreToRead(run))) await searchForGaps(run);
      // Sources that came until now are read before anything is written.
      if (await hasMoreToRead(run)) return;
      await writeReport(run, { catalogue, outline, sections: reading.sections, validatedRef });
    },
    () => undefined,
  );
}

/**
 * Pass 4: the text of each section, then what opens and closes the report, then the judge, for whom parts of it may be written
 * anew. A section that cannot be written is a list of its findings. The text is put together after this, of what is carried.
 */
async function writeReport(
  run: ReportRun,
  given: {
    catalogue: Catalogue;
    outline: Outline;
    sections: readonly FoundSection[];
    validatedRef: ArtifactRef;
  },
): Promise<void> {
  const { catalogue, outline, sections, validatedRef } = given;
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref, validatedRef };
  run.plan(sections.length + 1);
  const drafts = await eachSection(run, sections, async ({ id, findingsRef }, index) =>
    findingsRef === null ? null : writeSection(run, { id, index, sections, refs }),
  );
  const frameRef = await writeSummary(run, refs, drafts);
  run.carried.frameRef = frameRef;
  const texts = sections.map(({ id: sectionId }, index) => {
    const { draftRef = null, critiqueRef = null } = drafts[index] ?? {};
    return { sectionId, draftRef, critiqueRef, isWanting: false }; // the audits have had their tries
  });
  await judgeReport(run, { refs, text: { sections: texts, frameRef } });
}

/**
 * Before anything is done for a run: whether its sources are there, so that whoever started it with something else is told
 * at once; the step versions are pinned where it came without, and the prompts that its steps have elsewhere; and what an earlier run of the same id told is forgotten,
 * now that there is one in its place.
 */
async function admit(run: ReportRun): Promise<void> {
  const { runId, kind, stepVersions, engine } = run.input;
  const { search } = run.input;
  if (run.input.sourceCount === 0 && search === undefined) await firstSources(run);
  const { manifestRef, sourceCount } = givenSources(run);
  if (!isAtItsBeginning(run.carried)) return;
  const searching = search === undefined ? {} : { search };
  const request = { runId, manifestRef, sourceCount, engine, ...searching };
  const admission = await run.carryOut(activities.admitRun, request, 'look at the sources');
  if (admission.problems.length > 0) throw invalidInput(kind, admission.problems);
  // The run's facts have the same record, and so has the next history.
  if (Object.keys(stepVersions).length === 0) Object.assign(stepVersions, admission.stepVersions);
  const { formerLogBegunAt: begunAt, promptsRef } = admission;
  if (promptsRef !== undefined) run.usePrompts(promptsRef);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
}

/** Where the input names no sources, a message that came with the start does. */
async function firstSources(run: ReportRun): Promise<void> {
  await CancellationScope.nonCancellable(() => run.inbox.idle());
  const given = givenSources(run);
  Object.assign(run.input, given);
  if (given.sourceCount === 0)
    throw invalidInput(run.input.kind, [
      ...missingSources({}),
      'sources may also come by the message addSources, sent in one call with the start (signal-with-start)',
    ]);
}
