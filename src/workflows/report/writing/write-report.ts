import { CALL_SIZES } from '../../../core/budget/call-estimates';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { worstCase } from '../../run/call-costs';
import { eachSection } from '../each-section';
import type { Catalogue, FoundSection, Outline } from '../pass-artifacts';
import type { ReportRun } from '../report-run';
import { judgeReport } from './judge-report';
import { writeSection } from './write-section';
import { writeSummary } from './write-summary';

/**
 * Pass 4: the text of each section, then what opens and closes the report, then the judge, for whom parts of it may be written
 * anew. A section that cannot be written is a list of its findings. The text is put together after this, of what is carried.
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
  const frameRef = await writeSummary(run, refs, drafts);
  run.carried.frameRef = frameRef;
  const texts = sections.map(({ id: sectionId }, index) => {
    const { draftRef = null, critiqueRef = null } = drafts[index] ?? {};
    return { sectionId, draftRef, critiqueRef, isWanting: false }; // the audits have had their tries
  });
  await judgeReport(run, { refs, cost, text: { sections: texts, frameRef } });
}
