import type { ArtifactRef } from '../../../contracts/run/artifact';
import { keepOfSection } from '../carried-report';
import type { SectionText } from '../pass-artifacts';
import type { ReportRun } from '../report-run';
import { audit, REVISIONS, writeAnew } from './section-texts';
import type { SectionToWrite } from './section-to-write';

/**
 * Writes a section anew for what a judge named of it, and for what its last audit criticised; null where its revisions are used
 * by then, or nothing came of it, so that the text before it stands. How many are used is known of the section and not of a
 * version: a version that is not kept has used them all the same.
 */
export async function reviseSection(
  run: ReportRun,
  section: SectionToWrite,
  { draftRef, critiqueRef }: SectionText,
  judgementRef: ArtifactRef,
): Promise<SectionText | null> {
  const { id: sectionId } = section;
  const { revisions: used = 0 } = run.carried.sections.find(({ id }) => id === sectionId) ?? {};
  const revision = used + 1;
  if (draftRef === null || revision > REVISIONS.length) return null;
  keepOfSection(run.carried, sectionId, { revisions: revision });
  const criticised = critiqueRef === null ? {} : { critiqueRef };
  const revises = { draftRef, revision, lacksSources: false, judgementRef, ...criticised };
  const revised = await writeAnew(run, section, revises);
  if (revised === null) return null;
  const audited = await audit(run, section, revised, { revision, insteadRef: draftRef, isAskedFor: true });
  if (audited?.isBetter !== true) return null;
  const { needsRetry } = audited;
  return {
    sectionId,
    draftRef: audited.draftRef,
    critiqueRef: needsRetry ? audited.critiqueRef : null,
    isWanting: needsRetry && revision < REVISIONS.length,
  };
}
