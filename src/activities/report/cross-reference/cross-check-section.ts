import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings } from '../../../contracts/report/finding';
import { SourceRanking } from '../../../contracts/report/ranking';
import { readShared } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { checkFindings } from './check-findings';
import { nearestSources } from './nearest-sources';
import { briefOf, readSection } from '../overview/outline-section';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';

export interface CrossCheckSectionInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  findingsRef: ArtifactRef;
  /** The re-ranking after pass 2; null where there is none. */
  rankingRef: ArtifactRef | null;
  sectionId: string;
}

export interface CrossCheckSectionResult extends Spent {
  checksRef: ArtifactRef;
}

export async function crossCheckSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, findingsRef, rankingRef, sectionId }: CrossCheckSectionInput,
  signal: AbortSignal,
): Promise<CrossCheckSectionResult> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const { findings } = await readShared(ports.content, findingsRef, SectionFindings);
  const cited = new Set(findings.flatMap((finding) => finding.citations));
  const statements = findings.map((finding) => finding.claim);
  const ranking = rankingRef === null ? null : await readShared(ports.content, rankingRef, SourceRanking);
  const ranked = ranking?.sections.find((entry) => entry.sectionId === sectionId)?.sources ?? [];
  const standing = new Map(ranked.map(({ sourceId, score }) => [sourceId, score]));
  const further = await nearestSources(
    ports,
    catalogue,
    { statements, except: cited, standing, count: run.synthesis.pass3CrossRefCount },
    signal,
  );
  const quoted = [...cited].sort(
    (a, b) => (standing.get(b) ?? 0) - (standing.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  const byId = await catalogue.named([...quoted, ...further]);
  const chosen = [...quoted, ...further].flatMap((id) => byId.get(id) ?? []);
  const brief = briefOf(section);
  return checkFindings(ports, run, { section: brief, findings, sources: chosen, wanted: brief }, signal);
}
