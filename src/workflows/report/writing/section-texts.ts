import type { AuditedSection, AuditSectionInput } from '../../../activities/report/writing/audit-section';
import type {
  WriteSectionActivityInput,
  WrittenSection,
} from '../../../activities/report/writing/write-section';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import { sectionName, sectionPart } from '../each-section';
import type { ReportRun } from '../report-run';
import type { SectionToWrite } from './section-to-write';

/** A section may be written anew so often, whoever asks for it: what lacks sources first, then its audit, then the judge (decision 14). */
export const REVISIONS = [1, 2];

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

/** What a warning says where no model writes a text anew. */
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

/** What a warning says of an audit without a model. */
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

/** What is said of a text that could not be audited. */
export function notAudited(text: string, reason: string): string {
  return `Pass 4 could not audit ${text} (${reason}); what does not keep to the words of what it cites was replaced by its findings' own words.`;
}
