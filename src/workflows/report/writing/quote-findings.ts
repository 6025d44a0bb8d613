import type { ReportFacts } from '../../../activities/shared/ports';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { QUOTING_ENGINE } from '../../../contracts/run/engines';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import { keepOfSection, type FoundSection, type ReportRun } from '../carried-report';
import { eachSection, sectionName, sectionPart } from '../each-section';
import type { WritingRefs } from './write-text';

/** Writes the report as rows of quotes, section by section, and its summary: without a model, or where no model writes it. */
export async function quoteFindings(
  run: ReportRun,
  refs: WritingRefs,
  sections: readonly FoundSection[],
): Promise<void> {
  run.plan(sections.length + 1);
  const quoting: ReportFacts = { ...run.facts, engine: QUOTING_ENGINE, models: null };
  const drafts = await eachSection(run, sections, async ({ id, findingsRef }, index) => {
    if (findingsRef === null) return null;
    const request = { run: quoting, ...refs, sectionId: id };
    const written = await orShortfall(
      run,
      () => run.carryOut(activities.writeSection, request, sectionPart(sections, index, 'write')),
      (reason) =>
        run.addShortfall(
          `Pass 4 could not write ${sectionName(sections, id)} (${reason}), so its findings are listed instead.`,
        ),
    );
    if (written === null) return null;
    keepOfSection(run.carried, id, { draftRef: written.draftRef });
    return { sectionId: id, draftRef: written.draftRef };
  });
  run.carried.frameRef = await writeSummary(run, quoting, refs, drafts);
}

/** Null where it could not be written. */
async function writeSummary(
  run: ReportRun,
  quoting: ReportFacts,
  refs: WritingRefs,
  drafts: readonly ({ sectionId: string; draftRef: ArtifactRef } | null)[],
): Promise<ArtifactRef | null> {
  const request = { run: quoting, ...refs, drafts: drafts.filter((draft) => draft !== null) };
  const summary = await orShortfall(
    run,
    () => run.carryOut(activities.writeSummary, request, 'summary'),
    (reason) =>
      run.addShortfall(
        `Pass 4 could not write the summary (${reason}); the report opens with its overall theme.`,
      ),
  );
  return summary?.frameRef ?? null;
}
