import type { ArtifactRef } from '../../contracts/run/artifact';
import { findingsUnchecked } from './activities';
import { keepValidated } from './carried-report';
import type { FoundSection } from './pass-artifacts';
import type { ReportRun } from './report-run';

/** Findings as pass 2 left them, each marked as not validated, where there is no pass 3. */
export async function takeUnchecked(run: ReportRun, sections: readonly FoundSection[]): Promise<ArtifactRef> {
  const request = { run: run.facts, findingsRefs: foundRefs(sections) };
  const { validatedRef } = await run.carryOut(findingsUnchecked, request, 'keep the findings');
  return keepValidated(run.carried, validatedRef);
}

/** What pass 2 left, in outline order. */
export function foundRefs(sections: readonly FoundSection[]): string[] {
  return sections.flatMap(({ findingsRef }) => findingsRef ?? []);
}
