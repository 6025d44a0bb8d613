import { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { Outline } from '../../../contracts/report/outline';
import { SourceId } from '../../../contracts/source/source';
import { digestChars } from '../../../core/passages/digest-chars';
import { callsByGroups } from '../../../core/passages/reading-calls';
import { smallestWindow } from '../../../core/passages/reading-groups';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue, sizesOf } from '../gather/catalogue';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { isReadWhole, topSources } from './read-sources';

export const ReadingPlan = z.object({
  /** The sources that each section is to read; a call may have others beside them. */
  sections: z.array(z.object({ sectionId: z.string(), sourceIds: z.array(SourceId) })),
  calls: z.array(z.object({ sourceIds: z.array(SourceId), sectionIds: z.array(z.string()).min(1) })),
});
export type ReadingPlan = z.infer<typeof ReadingPlan>;

export interface PlanReadingInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
}

export interface PlannedReading {
  readingRef: ArtifactRef;
  calls: number;
}

/** Pass 2, before it reads: which sources go together, so that those that several sections share are sent as few times as may be. */
export async function planReading(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef }: PlanReadingInput,
): Promise<PlannedReading> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const all = await sizesOf(catalogue);
  const { sections } = await readShared(ports.content, outlineRef, Outline);
  const settings = run.synthesis;
  const wantedBy: ReadingPlan['sections'] = [];
  for (const section of sections) {
    let chars = 0;
    const top = await topSources(section, catalogue, settings.pass2FullContentCount);
    const fitting = top.filter((source, at) => {
      chars += digestChars(source.contentChars, settings);
      return at === 0 || chars <= settings.maxTotalChars;
    });
    wantedBy.push({ sectionId: section.id, sourceIds: fitting.map(({ id }) => id) });
  }
  const plan: ReadingPlan = {
    sections: wantedBy,
    calls: isReadWhole(run, all)
      ? [{ sourceIds: all.map(({ id }) => id), sectionIds: sections.map(({ id }) => id) }]
      : callsByGroups(all, wantedBy, {
          settings: run.synthesis,
          contextTokens: smallestWindow(run.models),
        }),
  };
  return {
    readingRef: await storeArtifact(ports.content, run.runId, plan),
    calls: plan.calls.length,
  };
}
