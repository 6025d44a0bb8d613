import type { WorstCase } from '../core/budget-ledger';
import type { WrittenSection } from '../activities/write-section';
import { CALL_SIZES } from '../core/call-estimates';
import { activities } from './activities';
import { worstCase } from './call-costs';
import { eachSection, sectionName, sectionPart } from './each-section';
import { orFallShort } from './or-fall-short';
import type { Run } from './run';
import { partOf, type SectionState } from './run-state';

/** Of the two revisions that a section may have, for whatever reasons (decision 14), this is the first. */
const CITATION_REVISION = 1;

/**
 * Pass 4: the text of each section, then what opens and closes the report. A section that cannot be written is a list of its
 * findings. The text is put together after this.
 */
export async function writeReport(run: Run): Promise<void> {
  if (run.state.noAnswer === true) return;
  const { sections } = run.state;
  const refs = {
    catalogueRef: partOf(run.state, 'catalogue').ref,
    outlineRef: partOf(run.state, 'outline').ref,
    validatedRef: partOf(run.state, 'validatedRef'),
  };
  run.plan(sections.length + 1);
  const cost = worstCase(run, 'report', CALL_SIZES.writeSection());
  await eachSection(run, (section, index) => writeSection(run, section, index, { refs, cost }));
  const drafts = sections.flatMap(({ id, draftRef }) =>
    draftRef === null ? [] : [{ sectionId: id, draftRef }],
  );
  const summaryCost = worstCase(run, 'report', CALL_SIZES.writeSummary());
  const summary = await orFallShort(
    run,
    () => run.ask(activities.writeSummary, { run: run.brief, ...refs, drafts }, 'summary', summaryCost),
    (reason) =>
      run.fallShort(
        `Pass 4 could not write the summary (${reason}); the report opens with its overall theme.`,
      ),
  );
  run.state.frameRef = summary?.frameRef ?? null;
}

/** Writes a section, and once more where it cites fewer sources than it should and could. */
async function writeSection(
  run: Run,
  section: SectionState,
  index: number,
  {
    refs,
    cost,
  }: { refs: { catalogueRef: string; outlineRef: string; validatedRef: string }; cost: WorstCase },
): Promise<void> {
  if (section.findingsRef === null) return;
  const { sections } = run.state;
  const request = { run: run.brief, ...refs, sectionId: section.id };
  const written = await orFallShort(
    run,
    () => run.ask(activities.writeSection, request, sectionPart(sections, index, 'write'), cost),
    (reason) =>
      run.fallShort(
        `Pass 4 could not write ${sectionName(run, section)} (${reason}), so its findings are listed instead.`,
      ),
  );
  if (written === null) return;
  section.draftRef = written.draftRef;
  if (!lacksSources(run, written)) return;
  const revises = { draftRef: written.draftRef, revision: CITATION_REVISION };
  const revised = await orFallShort(
    run,
    () =>
      run.ask(activities.writeSection, { ...request, revises }, sectionPart(sections, index, 'revise'), cost),
    () => undefined, // the first text stands
  );
  if (revised !== null) section.draftRef = revised.draftRef;
}

/** Targets scale with the material: a section cannot cite more sources than its findings have (decision 15). */
function lacksSources(run: Run, { cited, citable }: WrittenSection): boolean {
  return cited < Math.min(run.input.synthesis.minCitationsPerSection, citable);
}
