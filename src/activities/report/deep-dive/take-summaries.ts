import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { SectionFindings } from '../../../contracts/report/finding';
import { findingsFromSummaries } from '../../../core/evidence/findings-from-summaries';
import { storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { readSection } from '../overview/outline-section';
import { readTexts } from '../../shared/read-texts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { topSources } from './read-sources';

export interface TakeSummariesInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  sectionId: string;
}

/** Document 002: a section has 10–20 findings. */
const MAX_FINDINGS = 15;

/** Where pass 2 fails for a section: what the summaries of its sources say, each in the source's own words. Asks no engine. */
export async function takeSummaries(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sectionId }: TakeSummariesInput,
  signal: AbortSignal,
): Promise<{ findingsRef: ArtifactRef; findings: number }> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const chosen = await topSources(section, catalogue, run.synthesis.pass2FullContentCount);
  // Full texts are held here: every section may come at once, and waits before it has read any.
  const findings = await ports.threads.takeTurn(async () => {
    const texts = await readTexts(
      ports.content,
      chosen.flatMap((source) => [source.summaryRef, source.contentRef]),
    );
    const read = chosen.map(({ id, summaryRef, contentRef }) => ({
      sourceId: id,
      summary: texts.get(summaryRef) ?? '',
      content: texts.get(contentRef) ?? null,
    }));
    return findingsFromSummaries(sectionId, read, MAX_FINDINGS);
  }, signal);
  const result: SectionFindings = {
    sectionId,
    findings,
    readInFull: [],
    readBySummary: chosen.map(({ id }) => id),
    retrievals: { requested: 0, found: 0, missing: 0, chars: 0 },
  };
  return { findingsRef: await storeArtifact(ports.content, run.runId, result), findings: findings.length };
}
