import { activities } from '../run/activities';
import type { Run } from '../run/run';
import type { SectionState } from '../run/run-state';

/** Findings as pass 2 left them, where there is no pass 3. */
export async function keepFindings(run: Run): Promise<void> {
  const request = { run: run.brief, findingsRefs: foundRefs(run.state.sections) };
  const { validatedRef } = await run.carryOut(activities.keepFindings, request, 'keep the findings');
  run.state.validatedRef = validatedRef;
}

/** What pass 2 left, in outline order. */
export function foundRefs(sections: readonly SectionState[]): string[] {
  return sections.flatMap(({ findingsRef }) => findingsRef ?? []);
}
