import { CALL_SIZES } from '../../../core/budget/call-estimates';
import { SUMMARY } from '../../../core/report/summary-part';
import { worstCase } from '../../run/call-costs';
import { inParallel } from '../../run/in-parallel';
import { bestVersion } from '../../run/judging/versions';
import { shapeOfRun } from '../../run/shape-of-run';
import {
  catalogueBefore,
  artifactFor,
  outlineBefore,
  validatedBefore,
  keepOfSection,
} from '../carried-report';
import type { SectionText } from '../pass-artifacts';
import type { ReportRun } from '../report-run';
import { judgeReport } from '../writing/judge-report';
import { writeSection } from '../writing/write-section';
import { writeSummary } from '../writing/write-summary';

/**
 * Writes the sections anew that have other findings, and what opens and closes the report; the text of the others stays as it is,
 * to the byte. A judge then scores the whole, and may have those parts revised alone.
 */
export async function rewriteChanged(run: ReportRun, changed: readonly string[]): Promise<void> {
  const { carried } = run;
  if (changed.length === 0) return;
  keepBestVersion(run);
  const refs = {
    catalogueRef: catalogueBefore(carried).ref,
    outlineRef: outlineBefore(carried).ref,
    validatedRef: artifactFor(validatedBefore(carried), 'validatedRef'),
  };
  const cost = worstCase(run, 'report', CALL_SIZES.writeSection());
  const sections = carried.sections.map(({ id }) => ({ id }));
  const { atOnce } = shapeOfRun(run.input);
  const texts = await inParallel(
    carried.sections,
    atOnce,
    async ({ id, draftRef }, index): Promise<SectionText> => {
      const stands = { sectionId: id, draftRef, critiqueRef: null, isWanting: false };
      if (!changed.includes(id)) return stands;
      keepOfSection(carried, id, { revisions: 0 });
      const written = await writeSection(run, { id, index, sections, refs, cost });
      if (written === null) return stands;
      return { ...stands, draftRef: written.draftRef, critiqueRef: written.critiqueRef ?? null };
    },
  );
  const drafts = texts.map(({ sectionId, draftRef }) => (draftRef === null ? null : { sectionId, draftRef }));
  carried.frameRef = (await writeSummary(run, refs, drafts)) ?? carried.frameRef;
  const text = { sections: texts, frameRef: carried.frameRef };
  await judgeReport(run, { refs, cost, text, only: [...changed, SUMMARY] });
}

/** What was judged best is what the rest of the text stays as; versions of a report that is no more do not compete with the new one. */
function keepBestVersion({ carried }: ReportRun): void {
  const best = bestVersion(carried.versions ?? []);
  if (best !== null) {
    for (const { sectionId, draftRef } of best.text.sections) keepOfSection(carried, sectionId, { draftRef });
    carried.frameRef = best.text.frameRef;
  }
  delete carried.versions;
}
