import { patched } from '@temporalio/workflow';
import type { CheckedSection } from '../../activities/report/writing/check-section';
import type { WorstCase } from '../../core/budget/budget-ledger';
import type { WrittenSection } from '../../activities/report/writing/write-section';
import type { WrittenSummary } from '../../activities/report/writing/write-summary';
import { CALL_SIZES } from '../../core/budget/call-estimates';
import { activities } from '../run/activities';
import { worstCase } from '../run/call-costs';
import { eachSection, sectionName, sectionPart } from './each-section';
import { orFallShort } from '../run/or-fall-short';
import type { Run } from '../run/run';
import { partOf, type SectionState } from '../run/run-state';

/** The two revisions that a section may have (decision 14): for want of sources, and for what a critic refused. */
const CITATION_REVISION = 1;
const REFUSAL_REVISION = 2;
/** Runs of workers from before sentences were checked go on without. */
const CHECKS_SENTENCES = 'check-sentences';

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
  run.state.frameRef = summary === null ? null : await checkedSummary(run, summary, { refs });
}

interface Writing {
  refs: { catalogueRef: string; outlineRef: string; validatedRef: string };
  cost: WorstCase;
}

/** Writes a section, and once more where it cites fewer sources than it should and could; then has it checked. */
async function writeSection(run: Run, section: SectionState, index: number, writing: Writing): Promise<void> {
  const { refs, cost } = writing;
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
  if (!lacksSources(run, written)) return checkSection(run, section, index, { ...writing, written });
  const revises = { draftRef: written.draftRef, revision: CITATION_REVISION };
  const revised = await orFallShort(
    run,
    () =>
      run.ask(activities.writeSection, { ...request, revises }, sectionPart(sections, index, 'revise'), cost),
    () => undefined, // the first text stands
  );
  if (revised !== null) section.draftRef = revised.draftRef;
  await checkSection(run, section, index, { ...writing, written: revised ?? written });
}

/**
 * Has a critic decide what words alone cannot. What it refuses goes back to the writer once; the text in which nothing is
 * undecided stands. Where no critic can be had the report itself replaces what is undecided.
 */
async function checkSection(
  run: Run,
  section: SectionState,
  index: number,
  { refs, cost, written }: Writing & { written: WrittenSection },
): Promise<void> {
  if (written.undecided === undefined || !patched(CHECKS_SENTENCES)) return;
  const { catalogueRef, validatedRef } = refs;
  const request = { run: run.brief, catalogueRef, validatedRef, sectionId: section.id };
  const part = (what: string): string => sectionPart(run.state.sections, index, what);
  const check = (
    draftRef: string,
    revision: number,
    insteadRef: string | null,
  ): Promise<CheckedSection | null> =>
    orFallShort(
      run,
      () =>
        run.ask(
          activities.checkSection,
          { ...request, draftRef, revision, insteadRef },
          part(revision === 0 ? 'check' : 'check again'),
          checkCost(run),
        ),
      (reason) => run.fallShort(notChecked(sectionName(run, section), reason)),
    );
  const checked = await check(written.draftRef, 0, null);
  if (checked === null) return;
  section.draftRef = checked.draftRef;
  if (checked.refusedRef === null) return;
  const revises = { draftRef: checked.draftRef, revision: REFUSAL_REVISION, refusedRef: checked.refusedRef };
  const revised = await orFallShort(
    run,
    () =>
      run.ask(
        activities.writeSection,
        { ...request, outlineRef: refs.outlineRef, revises },
        part('revise'),
        cost,
      ),
    () => undefined, // the settled text stands
  );
  if (revised === null) return;
  const again =
    revised.undecided === undefined
      ? revised
      : await check(revised.draftRef, REFUSAL_REVISION, checked.draftRef);
  if (again !== null) section.draftRef = again.draftRef;
}

/** The summary's bullets, decided as the sections' sentences are. */
async function checkedSummary(
  run: Run,
  summary: WrittenSummary,
  { refs }: Pick<Writing, 'refs'>,
): Promise<string> {
  const { frameRef, undecided } = summary;
  if (undecided === undefined || !patched(CHECKS_SENTENCES)) return frameRef;
  const { catalogueRef, validatedRef } = refs;
  const request = { run: run.brief, catalogueRef, validatedRef, frameRef };
  const checked = await orFallShort(
    run,
    () => run.ask(activities.checkSummary, request, 'check the summary', checkCost(run)),
    (reason) => run.fallShort(notChecked('the summary', reason)),
  );
  return checked?.frameRef ?? frameRef;
}

function checkCost(run: Run): WorstCase {
  return worstCase(run, 'report', CALL_SIZES.checkSentences(), 'critic');
}

function notChecked(text: string, reason: string): string {
  return `Pass 4 could not have ${text} checked (${reason}); what does not keep to the words of what it cites was replaced by its findings' own words.`;
}

/** Targets scale with the material: a section cannot cite more sources than its findings have (decision 15). */
function lacksSources(run: Run, { cited, citable }: WrittenSection): boolean {
  return cited < Math.min(run.input.synthesis.minCitationsPerSection, citable);
}
