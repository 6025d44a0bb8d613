import { inParallel } from '../run/in-parallel';
import type { Run } from '../run/run';
import { shapeOfRun } from '../run/shape-of-run';
import type { SectionState } from '../run/run-state';

/** All sections at once, each counted as done when its work is. */
export async function eachSection(
  run: Run,
  work: (section: SectionState, index: number) => Promise<void>,
): Promise<void> {
  const { sections } = run.state;
  const { atOnce } = shapeOfRun(run.input, sections.length);
  await inParallel(sections, atOnce, async (section, index) => {
    await work(section, index);
    run.finishSection(section.id);
  });
}

/** How a section is spoken of where nothing a model wrote may be: `section 2 of 5`. */
export function sectionName({ state }: Run, section: SectionState): string {
  return `section ${state.sections.indexOf(section) + 1} of ${state.sections.length}`;
}

/** What the Web UI calls a section's part of a pass. */
export function sectionPart(sections: readonly SectionState[], index: number, what: string): string {
  return `section ${index + 1}/${sections.length} · ${what}`;
}
