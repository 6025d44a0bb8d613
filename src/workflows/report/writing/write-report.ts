import { patched } from '@temporalio/workflow';
import type { AuditedSummary } from '../../../activities/report/writing/audit-summary';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { CALL_SIZES } from '../../../core/budget/call-estimates';
import { worstCase } from '../../run/call-costs';
import { orFallShort } from '../../run/or-fall-short';
import { activities } from '../activities';
import { eachSection } from '../each-section';
import { AUDITS_TEXTS, CHECKS_SENTENCES } from '../in-histories';
import type { Catalogue, FoundSection, Outline } from '../made';
import type { ReportRun } from '../report-run';
import { BY_WORDS, notAudited } from './section-texts';
import type { SectionDraft, WritingRefs } from './section-to-write';
import { writeSection } from './write-section';

/**
 * Pass 4: the text of each section, then what opens and closes the report. A section that cannot be written is a list of its
 * findings. The text is put together after this, of what is carried.
 */
export async function writeReport(
  run: ReportRun,
  given: {
    catalogue: Catalogue;
    outline: Outline;
    sections: readonly FoundSection[];
    validatedRef: ArtifactRef;
  },
): Promise<void> {
  const { catalogue, outline, sections, validatedRef } = given;
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref, validatedRef };
  run.plan(sections.length + 1);
  const cost = worstCase(run, 'report', CALL_SIZES.writeSection());
  const drafts = await eachSection(run, sections, async ({ id, findingsRef }, index) =>
    findingsRef === null ? null : writeSection(run, { id, index, sections, refs, cost }),
  );
  run.carried.frameRef = await writtenSummary(run, { refs, drafts: drafts.flatMap((draft) => draft ?? []) });
}

/** What opens and closes the report, its bullets decided as the sections' sentences are; null where it could not be written. */
async function writtenSummary(
  run: ReportRun,
  { refs, drafts }: { refs: WritingRefs; drafts: SectionDraft[] },
): Promise<ArtifactRef | null> {
  const cost = worstCase(run, 'report', CALL_SIZES.writeSummary());
  const summary = await orFallShort(
    run,
    () => run.ask(activities.writeSummary, { run: run.brief, ...refs, drafts }, 'summary', cost),
    (reason) =>
      run.fallShort(
        `Pass 4 could not write the summary (${reason}); the report opens with its overall theme.`,
      ),
  );
  if (summary === null) return null;
  const { frameRef, undecided, sentences = undecided ?? 0 } = summary;
  const { catalogueRef, validatedRef } = refs;
  const request = { run: run.brief, catalogueRef, validatedRef, frameRef };
  const auditWith = (audit: () => Promise<AuditedSummary>): Promise<AuditedSummary | null> =>
    orFallShort(run, audit, (reason) => run.fallShort(notAudited('the summary', reason)));
  const auditCost = worstCase(run, 'report', CALL_SIZES.audit(sentences), 'critic');
  if (patched(AUDITS_TEXTS)) {
    if (sentences === 0) return frameRef;
    const given = { ...request, drafts };
    const audited = await auditWith(() =>
      run.ask(activities.auditSummary, given, 'summary · audit', auditCost, BY_WORDS),
    );
    return audited?.frameRef ?? frameRef;
  }
  if (undecided === undefined || !patched(CHECKS_SENTENCES)) return frameRef;
  const checked = await auditWith(() =>
    run.ask(activities.checkSummary, request, 'check the summary', auditCost),
  );
  return checked?.frameRef ?? frameRef;
}
