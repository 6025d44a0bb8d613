import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import type { SourceRanking } from '../../../contracts/report/ranking';
import { READ_FROM } from '../../../core/ranking/ranked-outline';
import { rankByFindings } from '../../../core/ranking/rank-by-findings';
import { readShared, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

export interface RankSourcesInput {
  run: ReportFacts;
  outlineRef: ArtifactRef;
  findingsRefs: ArtifactRef[];
}

/** The re-ranking after pass 2: what each source gave decides what pass 3 reads first. Asks no engine. */
export async function rankSources(
  ports: ActivityPorts,
  { run, outlineRef, findingsRefs }: RankSourcesInput,
): Promise<{ rankingRef: ArtifactRef }> {
  const outline = await readShared(ports.content, outlineRef, Outline);
  const found = await Promise.all(findingsRefs.map((ref) => readShared(ports.content, ref, SectionFindings)));
  return { rankingRef: await storeArtifact(ports.content, run.runId, sourceRanking(outline, found)) };
}

/** Each section's sources by what they gave. */
export function sourceRanking(outline: Outline, found: readonly SectionFindings[]): SourceRanking {
  const findingsOf = new Map(found.map(({ sectionId, findings }) => [sectionId, findings]));
  return {
    sections: outline.sections.map(({ id, sourceScores }) => ({
      sectionId: id,
      sources: rankByFindings(
        sourceScores.filter(({ relevance }) => relevance >= READ_FROM),
        findingsOf.get(id) ?? [],
      ),
    })),
  };
}
