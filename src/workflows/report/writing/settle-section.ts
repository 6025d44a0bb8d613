import { patched } from '@temporalio/workflow';
import type { CheckedSection } from '../../../activities/report/writing/check-section';
import type { WrittenSection } from '../../../activities/report/writing/write-section';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { WorstCase } from '../../../core/budget/budget-ledger';
import { CALL_SIZES } from '../../../core/budget/call-estimates';
import { worstCase } from '../../run/call-costs';
import { orFallShort } from '../../run/or-fall-short';
import { activities } from '../activities';
import { keepOfSection } from '../carried-report';
import { sectionName, sectionPart } from '../each-section';
import { CHECKS_SENTENCES, REFUSAL_REVISION } from '../in-histories';
import type { ReportRun } from '../report-run';
import type { SectionDraft, SectionToWrite } from './section-to-write';

/**
 * Has a critic decide what words alone cannot. What it refuses goes back to the writer once; the text in which nothing is
 * undecided stands. Where no critic can be had the report itself replaces what is undecided.
 */
export async function settleSection(
  run: ReportRun,
  section: SectionToWrite,
  written: WrittenSection,
): Promise<SectionDraft> {
  const { id: sectionId } = section;
  const keep = (draftRef: ArtifactRef): SectionDraft => {
    keepOfSection(run.carried, sectionId, { draftRef });
    return { sectionId, draftRef };
  };
  if (written.undecided === undefined || !patched(CHECKS_SENTENCES)) return keep(written.draftRef);
  const checked = await check(run, section, { draftRef: written.draftRef, revision: 0, insteadRef: null });
  if (checked === null) return keep(written.draftRef);
  const settled = keep(checked.draftRef);
  if (checked.refusedRef === null) return settled;
  const revised = await revise(run, section, { draftRef: checked.draftRef, refusedRef: checked.refusedRef });
  if (revised === null) return settled;
  if (revised.undecided === undefined) return keep(revised.draftRef);
  const again = await check(run, section, {
    draftRef: revised.draftRef,
    revision: REFUSAL_REVISION,
    insteadRef: checked.draftRef,
  });
  return again === null ? settled : keep(again.draftRef);
}

function check(
  run: ReportRun,
  { id: sectionId, index, sections, refs: { catalogueRef, validatedRef } }: SectionToWrite,
  text: { draftRef: ArtifactRef; revision: number; insteadRef: ArtifactRef | null },
): Promise<CheckedSection | null> {
  const request = { run: run.brief, catalogueRef, validatedRef, sectionId, ...text };
  const what = text.revision === 0 ? 'check' : 'check again';
  return orFallShort(
    run,
    () => run.ask(activities.checkSection, request, sectionPart(sections, index, what), checkCost(run)),
    (reason) => run.fallShort(notChecked(sectionName(sections, sectionId), reason)),
  );
}

function revise(
  run: ReportRun,
  { id: sectionId, index, sections, refs, cost }: SectionToWrite,
  refused: { draftRef: ArtifactRef; refusedRef: ArtifactRef },
): Promise<WrittenSection | null> {
  const revises = { ...refused, revision: REFUSAL_REVISION };
  const request = { run: run.brief, ...refs, sectionId, revises };
  return orFallShort(
    run,
    () => run.ask(activities.writeSection, request, sectionPart(sections, index, 'revise'), cost),
    () => undefined, // the settled text stands
  );
}

export function checkCost(run: ReportRun): WorstCase {
  return worstCase(run, 'report', CALL_SIZES.checkSentences(), 'critic');
}

export function notChecked(text: string, reason: string): string {
  return `Pass 4 could not have ${text} checked (${reason}); what does not keep to the words of what it cites was replaced by its findings' own words.`;
}
