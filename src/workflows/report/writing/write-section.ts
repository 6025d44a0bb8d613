import type { AuditedSection, AuditSectionInput } from '../../../activities/report/writing/audit-section';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { keepOfSection, type ReportRun, type SectionText } from '../carried-report';
import { sectionName, sectionPart } from '../each-section';
import type {
  WriteSectionActivityInput,
  WrittenSection,
} from '../../../activities/report/writing/write-section';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';

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
  };
}

/** A section may be written anew so often, whoever asks for it: what lacks sources first, then its audit, then the judge (decision 14). */
const REVISIONS = [1, 2];

/** Targets scale with the material: a section cannot cite more sources than its findings have (decision 15). */
export function lacksSources(
  run: ReportRun,
  { cited, citable }: { cited: number; citable: number },
): boolean {
  return cited < Math.min(run.input.synthesis.minCitationsPerSection, citable);
}

/** Writes a section, anew where it revises a text; null where it failed, which `failed` is told. */
export function write(
  run: ReportRun,
  { id: sectionId, index, sections, refs }: SectionToWrite,
  revises: WriteSectionActivityInput['revises'] | null,
  failed: (reason: string) => Promise<void> | void,
): Promise<WrittenSection | null> {
  const request = { run: run.facts, ...refs, sectionId, ...(revises ? { revises } : {}) };
  const part = sectionPart(sections, index, revises ? 'revise' : 'write');
  return orShortfall(run, () => run.ask(activities.writeSection, request, part), failed);
}

export const INSTEAD_OF_REVISED = 'the text before it stands';

/** Writes an audited section anew; null where nothing came of it, so that the text before it stands. */
export function writeAnew(
  run: ReportRun,
  { id: sectionId, index, sections, refs }: SectionToWrite,
  revises: NonNullable<WriteSectionActivityInput['revises']>,
): Promise<WrittenSection | null> {
  const request = { run: run.facts, ...refs, sectionId, revises };
  const part = sectionPart(sections, index, 'revise');
  return orShortfall(
    run,
    () => run.askModel(activities.writeSection, request, part, INSTEAD_OF_REVISED),
    () => undefined,
  );
}

export const BY_WORDS = 'what words alone cannot decide of it is unchecked';

/** An audit of a text that no model wrote asks nobody. */
export function audit(
  run: ReportRun,
  { id: sectionId, index, sections, refs: { catalogueRef, validatedRef } }: SectionToWrite,
  { draftRef, sentences }: WrittenSection,
  text: Pick<AuditSectionInput, 'revision' | 'insteadRef' | 'isAskedFor'>,
): Promise<AuditedSection | null> {
  const request = { run: run.facts, catalogueRef, validatedRef, sectionId, draftRef, ...text };
  const part = sectionPart(sections, index, text.revision === 0 ? 'audit' : 'audit again');
  return orShortfall(
    run,
    () =>
      sentences === 0
        ? run.carryOut(activities.auditSection, request, part)
        : run.ask(activities.auditSection, request, part, BY_WORDS),
    (reason) => run.addShortfall(notAudited(sectionName(sections, sectionId), reason)),
  );
}

export function notAudited(text: string, reason: string): string {
  return `Pass 4 could not audit ${text} (${reason}); what does not keep to the words of what it cites was replaced by its findings' own words.`;
}

export interface WritingRefs {
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
}

interface SectionToWrite {
  id: string;
  index: number;
  sections: readonly { id: string }[];
  refs: WritingRefs;
}

export interface SectionDraft {
  sectionId: string;
  draftRef: ArtifactRef;
  /** What its last audit criticises of it; absent where that asks for no other try. */
  critiqueRef?: ArtifactRef;
}
