import type { WriteSummaryActivityInput } from '../../../activities/report/writing/write-summary';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { orShortfall } from '../../run/shortfall';
import { activities } from '../activities';
import type { ReportRun } from '../carried-report';
import {
  BY_WORDS,
  INSTEAD_OF_REVISED,
  notAudited,
  type SectionDraft,
  type WritingRefs,
} from './write-section';

/** A summary is written anew so often because its audit asks for it; what a judge asks for comes behind that. */
const AUDIT_REVISION = 1;

type WrittenSections = readonly (Pick<SectionDraft, 'sectionId' | 'draftRef'> | null)[];

/** What opens and closes the report, its bullets decided as the sections' sentences are; null where it could not be written. */
export async function writeSummary(
  run: ReportRun,
  refs: WritingRefs,
  sections: WrittenSections,
): Promise<ArtifactRef | null> {
  const drafts = written(sections);
  const summary = await orShortfall(
    run,
    () => run.ask(activities.writeSummary, { run: run.facts, ...refs, drafts }, 'summary'),
    (reason) =>
      run.addShortfall(
        `Pass 4 could not write the summary (${reason}); the report opens with its overall theme.`,
      ),
  );
  if (summary === null) return null;
  const { frameRef, sentences } = summary;
  if (sentences === 0) return frameRef;
  const { catalogueRef, validatedRef } = refs;
  const request = { run: run.facts, catalogueRef, validatedRef, frameRef, drafts };
  const audited = await orShortfall(
    run,
    () => run.ask(activities.auditSummary, request, 'summary · audit', BY_WORDS),
    (reason) => run.addShortfall(notAudited('the summary', reason)),
  );
  if (audited === null) return frameRef;
  if (!audited.needsRetry) return audited.frameRef;
  const { critiqueRef } = audited;
  const again = await writtenAnew(run, refs, drafts, {
    revises: { revision: AUDIT_REVISION, critiqueRef },
    insteadRef: audited.frameRef,
  });
  return again ?? audited.frameRef;
}

/** Writes the summary anew, for what a judge named of it; null where nothing came of it, so that the one before stands. */
export async function reviseSummary(
  run: ReportRun,
  refs: WritingRefs,
  sections: WrittenSections,
  { version, judgementRef }: { version: number; judgementRef: ArtifactRef },
): Promise<ArtifactRef | null> {
  // That of the first version is the one that its audit asked for.
  const revises = { revision: version - 1 + AUDIT_REVISION, judgementRef };
  return writtenAnew(run, refs, written(sections), { revises });
}

/** Another summary, told what is wrong with the one before, and audited; null where nothing came of it. */
async function writtenAnew(
  run: ReportRun,
  refs: WritingRefs,
  drafts: ReturnType<typeof written>,
  told: {
    revises: NonNullable<WriteSummaryActivityInput['revises']>;
    /** A text that was audited, and stands where this one is no better. */
    insteadRef?: ArtifactRef;
  },
): Promise<ArtifactRef | null> {
  const { revises, ...instead } = told;
  const { revision } = revises;
  return orShortfall(
    run,
    async () => {
      const request = { run: run.facts, ...refs, drafts, revises };
      const summary = await run.askModel(
        activities.writeSummary,
        request,
        'summary · revise',
        INSTEAD_OF_REVISED,
      );
      if (summary === null) return null;
      const { frameRef } = summary;
      const { catalogueRef, validatedRef } = refs;
      const given = { run: run.facts, catalogueRef, validatedRef, frameRef, drafts, revision, ...instead };
      const audited = await run.ask(activities.auditSummary, given, 'summary · audit again', BY_WORDS);
      return audited.frameRef;
    },
    () => undefined,
  );
}

function written(sections: WrittenSections): { sectionId: string; draftRef: ArtifactRef }[] {
  return sections.flatMap((section) =>
    section === null ? [] : [{ sectionId: section.sectionId, draftRef: section.draftRef }],
  );
}
