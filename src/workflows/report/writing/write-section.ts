import type { AuditedSection } from '../../../activities/report/writing/audit-section';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { keepOfSection } from '../carried-report';
import { sectionName } from '../each-section';
import type { ReportRun } from '../report-run';
import { audit, lacksSources, REVISIONS, write, writeAnew } from './section-texts';
import type { SectionDraft, SectionToWrite } from './section-to-write';

/**
 * Writes a section and has it audited; and writes it anew, with what was wrong, while that makes it better and it may be. Null
 * where it cannot be written.
 */
export async function writeSection(run: ReportRun, section: SectionToWrite): Promise<SectionDraft | null> {
  const { id: sectionId, sections } = section;
  const written = await write(run, section, null, (reason) =>
    run.addShortfall(
      `Pass 4 could not write ${sectionName(sections, sectionId)} (${reason}), so its findings are listed instead.`,
    ),
  );
  if (written === null) return null;
  const keep = (draftRef: ArtifactRef): SectionDraft => {
    keepOfSection(run.carried, sectionId, { draftRef });
    return { sectionId, draftRef };
  };
  keep(written.draftRef);
  let audited = await audit(run, section, written, { revision: 0, insteadRef: null });
  if (audited === null) return keep(written.draftRef);
  let { draftRef } = audited;
  let criticised = criticisedIn(audited);
  keep(draftRef);
  for (const revision of REVISIONS) {
    const { needsRetry, critiqueRef } = audited;
    const lacks = lacksSources(run, audited);
    if (!needsRetry && !lacks) break;
    const revises = { draftRef, revision, lacksSources: lacks, ...(needsRetry ? { critiqueRef } : {}) };
    keepOfSection(run.carried, sectionId, { revisions: revision });
    const revised = await writeAnew(run, section, revises);
    if (revised === null) break;
    audited = await audit(run, section, revised, { revision, insteadRef: draftRef });
    if (audited?.isBetter !== true) break; // who did not better it when told how is not asked again
    ({ draftRef } = audited);
    criticised = criticisedIn(audited);
    keep(draftRef);
  }
  return { ...keep(draftRef), ...criticised };
}

function criticisedIn({ needsRetry, critiqueRef }: AuditedSection): Pick<SectionDraft, 'critiqueRef'> {
  return needsRetry ? { critiqueRef } : {};
}
