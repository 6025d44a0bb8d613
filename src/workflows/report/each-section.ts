import { inParallel } from '../run/in-parallel';
import { shapeOfRun } from '../run/batches';
import type { ReportRun } from './carried-report';

/** All sections at once, each counted as done when its work is; what came of each, in their order. */
export async function eachSection<Section extends { id: string }, Result>(
  run: ReportRun,
  sections: readonly Section[],
  work: (section: Section, index: number) => Promise<Result>,
): Promise<Result[]> {
  const { atOnce } = shapeOfRun(run.input);
  return inParallel(sections, atOnce, async (section, index) => {
    const result = await work(section, index);
    run.finishPiece(section.id);
    return result;
  });
}

/** How a section is spoken of where nothing a model wrote may be: `section 2 of 5`. */
export function sectionName(sections: readonly { id: string }[], id: string): string {
  const at = sections.findIndex((section) => section.id === id) + 1;
  return `section ${at} of ${sections.length}`;
}

export function sectionPart(sections: readonly unknown[], index: number, what: string): string {
  return `section ${index + 1}/${sections.length} · ${what}`;
}
