import { patched } from '@temporalio/workflow';
import type { AuditedSection } from '../../../activities/report/writing/audit-section';
import type { WrittenSection } from '../../../activities/report/writing/write-section';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { CALL_SIZES } from '../../../core/budget/call-estimates';
import { worstCase } from '../../run/call-costs';
import { orFallShort } from '../../run/or-fall-short';
import { activities } from '../activities';
import { keepOfSection } from '../carried-report';
import { sectionName, sectionPart } from '../each-section';
import { CHECKS_SENTENCES, CITATION_REVISION, REFUSAL_REVISION } from '../in-histories';
import type { ReportRun } from '../report-run';
import { lacksSources, notAudited, write } from './section-texts';
import type { SectionDraft, SectionToWrite } from './section-to-write';

/**
 * Goes on with a section that was written in a history from before the audit, in the order of then: once more where it lacks
 * sources, then a critic for what words alone could not decide, and once more where it refused something.
 */
export async function writeUnaudited(
  run: ReportRun,
  section: SectionToWrite,
  first: WrittenSection,
): Promise<SectionDraft> {
  const { id: sectionId } = section;
  const keep = (draftRef: ArtifactRef): SectionDraft => {
    keepOfSection(run.carried, sectionId, { draftRef });
    return { sectionId, draftRef };
  };
  const revises = { draftRef: first.draftRef, revision: CITATION_REVISION };
  const cited = lacksSources(run, first) ? await write(run, section, revises, () => undefined) : null;
  const written = cited ?? first;
  keep(written.draftRef);
  if (written.undecided === undefined || !patched(CHECKS_SENTENCES)) return keep(written.draftRef);
  const checked = await check(run, section, written, { revision: 0, insteadRef: null });
  if (checked === null) return keep(written.draftRef);
  const { draftRef, critiqueRef, refusedRef } = checked;
  keep(draftRef);
  const wasRefused = refusedRef === undefined ? checked.needsRetry : refusedRef !== null;
  if (!wasRefused) return keep(draftRef);
  const refusal = { draftRef, critiqueRef, revision: REFUSAL_REVISION };
  const revised = await write(run, section, refusal, () => undefined);
  if (revised === null) return keep(draftRef);
  if (revised.undecided === undefined) return keep(revised.draftRef);
  const again = await check(run, section, revised, { revision: REFUSAL_REVISION, insteadRef: draftRef });
  return keep(again?.draftRef ?? draftRef);
}

function check(
  run: ReportRun,
  { id: sectionId, index, sections, refs: { catalogueRef, validatedRef } }: SectionToWrite,
  { draftRef, undecided = 0 }: WrittenSection,
  text: { revision: number; insteadRef: ArtifactRef | null },
): Promise<AuditedSection | null> {
  const request = { run: run.brief, catalogueRef, validatedRef, sectionId, draftRef, ...text };
  const part = sectionPart(sections, index, text.revision === 0 ? 'check' : 'check again');
  const cost = worstCase(run, 'report', CALL_SIZES.audit(undecided), 'critic');
  return orFallShort(
    run,
    () => run.ask(activities.checkSection, request, part, cost),
    (reason) => run.fallShort(notAudited(sectionName(sections, sectionId), reason)),
  );
}
