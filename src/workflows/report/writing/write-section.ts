import type { WrittenSection } from '../../../activities/report/writing/write-section';
import { orFallShort } from '../../run/or-fall-short';
import { activities } from '../activities';
import { keepOfSection } from '../carried-report';
import { sectionName, sectionPart } from '../each-section';
import { CITATION_REVISION } from '../in-histories';
import type { ReportRun } from '../report-run';
import type { SectionDraft, SectionToWrite } from './section-to-write';
import { settleSection } from './settle-section';

/**
 * Writes a section, and once more where it cites fewer sources than it should and could; then has it checked. Null where it
 * cannot be written.
 */
export async function writeSection(run: ReportRun, section: SectionToWrite): Promise<SectionDraft | null> {
  const { id, index, sections, refs, cost } = section;
  const request = { run: run.brief, ...refs, sectionId: id };
  const written = await orFallShort(
    run,
    () => run.ask(activities.writeSection, request, sectionPart(sections, index, 'write'), cost),
    (reason) =>
      run.fallShort(
        `Pass 4 could not write ${sectionName(sections, id)} (${reason}), so its findings are listed instead.`,
      ),
  );
  if (written === null) return null;
  const { draftRef } = written;
  keepOfSection(run.carried, id, { draftRef });
  if (!lacksSources(run, written)) return settleSection(run, section, written);
  const revises = { draftRef, revision: CITATION_REVISION };
  const revised = await orFallShort(
    run,
    () =>
      run.ask(activities.writeSection, { ...request, revises }, sectionPart(sections, index, 'revise'), cost),
    () => undefined, // the first text stands
  );
  if (revised !== null) keepOfSection(run.carried, id, { draftRef: revised.draftRef });
  return settleSection(run, section, revised ?? written);
}

/** Targets scale with the material: a section cannot cite more sources than its findings have (decision 15). */
function lacksSources(run: ReportRun, { cited, citable }: WrittenSection): boolean {
  return cited < Math.min(run.input.synthesis.minCitationsPerSection, citable);
}
