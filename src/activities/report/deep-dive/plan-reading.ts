import { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { Outline } from '../../../contracts/report/outline';
import { SourceId } from '../../../contracts/source/source';
import { groupedBy } from '../../../core/values/grouped-by';
import { parted } from '../../../core/values/parted';
import { digestChars } from '../../../core/passages/digest-chars';
import { charsInGroup, readingGroups, smallestWindow } from '../../../core/passages/reading-groups';
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

/** A group of which so much is wanted is read whole: how its prompt begins was paid for when it was summarised. */
const WHOLE_FROM = 1 / 2;
/** A group is sent once, but where it is so long that its sections would have too little of one answer. */
const CHARS_A_CALL = 60_000;

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
      : callsByGroups(run, all, wantedBy),
  };
  return {
    readingRef: await storeArtifact(ports.content, run.runId, plan),
    calls: plan.calls.length,
  };
}

/** A call for each group of sources, or more where a group is long. */
function callsByGroups(
  run: ReportFacts,
  all: Awaited<ReturnType<typeof sizesOf>>,
  wantedBy: ReadingPlan['sections'],
): ReadingPlan['calls'] {
  const settings = run.synthesis;
  const sectionsOf = groupedBy(
    wantedBy.flatMap(({ sectionId, sourceIds }) => sourceIds.map((sourceId) => ({ sectionId, sourceId }))),
    ({ sourceId }) => sourceId,
  );
  const charsOf = (sources: readonly { contentChars: number }[]): number =>
    sources.reduce((sum, source) => sum + charsInGroup({ id: '', ...source }, settings), 0);
  const limits = { settings, contextTokens: smallestWindow(run.models) };
  const groups = [...groupedBy(all, ({ group }) => group).entries()].flatMap(([name, group]) =>
    // Where they were not read together before, as they would have been.
    name === undefined ? readingGroups(group, limits) : [group],
  );
  return groups.flatMap((group) => {
    const wanted = group.filter(({ id }) => sectionsOf.has(id));
    if (wanted.length === 0) return [];
    const sources = charsOf(wanted) >= WHOLE_FROM * charsOf(group) ? group : wanted;
    const served = new Set(
      wanted.flatMap(({ id }) => sectionsOf.get(id) ?? []).map(({ sectionId }) => sectionId),
    );
    const sectionIds = wantedBy.map(({ sectionId }) => sectionId).filter((id) => served.has(id));
    return parted(sectionIds, Math.ceil(sectionIds.length / Math.ceil(charsOf(sources) / CHARS_A_CALL))).map(
      (part) => ({ sourceIds: sources.map(({ id }) => id), sectionIds: part }),
    );
  });
}
