import type { ArtifactRef } from '../core/contracts/artifact';
import { FINDINGS_CHARS } from '../core/call-estimates';
import { SectionFindings } from '../core/contracts/finding';
import { SourceRanking } from '../core/contracts/ranking';
import { SourceCatalogue } from '../core/contracts/source';
import { crossCheck } from '../steps/cross-check';
import { readArtifact, readIfAny, readShared, storeArtifact } from './artifacts';
import { nearestSources } from './nearest-sources';
import { briefOf, readSection } from './outline-section';
import type { ActivityPorts, RunBrief } from './ports';
import { readWindows } from './read-windows';
import { runStep, type Spent } from './run-step';
import { sectionChecks } from './section-checks';
import { tellConflicts } from './tell-conflicts';

export interface CrossCheckSectionInput {
  run: RunBrief;
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

/** Pass 3 for one section: its findings held against the sources they came from, and against further ones. */
export async function crossCheckSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, findingsRef, rankingRef, sectionId }: CrossCheckSectionInput,
  signal: AbortSignal,
): Promise<CrossCheckSectionResult> {
  const catalogue = await readShared(ports.content, catalogueRef, SourceCatalogue);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const { findings } = await readArtifact(ports.content, findingsRef, SectionFindings);
  const cited = new Set(findings.flatMap((finding) => finding.citations));
  const claims = findings.map((finding) => finding.claim);
  const ranking = await readIfAny(ports.content, rankingRef, SourceRanking);
  const ranked = ranking?.sections.find((entry) => entry.sectionId === sectionId)?.sources ?? [];
  const standing = new Map(ranked.map(({ sourceId, score }) => [sourceId, score]));
  const further = await nearestSources(
    ports,
    catalogue,
    { claims, except: cited, standing, count: run.synthesis.pass3CrossRefCount },
    signal,
  );
  const quoted = [...cited].sort(
    (a, b) => (standing.get(b) ?? 0) - (standing.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  const byId = new Map(catalogue.sources.map((source) => [source.id, source]));
  const chosen = [...quoted, ...further].flatMap((id) => byId.get(id) ?? []);
  const { sources } = await readWindows(ports, run, briefOf(section), chosen, {
    pass: 3,
    besides: FINDINGS_CHARS,
    signal,
  });
  const { enableFactChecking: factChecking, enableConflictDetection: detectConflicts } = run.synthesis;
  const input = {
    question: run.question,
    section: briefOf(section),
    findings,
    sources,
    factChecking,
    detectConflicts,
  };
  const place = { pass: 3, section: sectionId };
  const { output, usage, warnings } = await runStep(ports, run, crossCheck, input, { place, signal });
  const checksRef = await storeArtifact(ports.content, run.runId, sectionChecks(output, sources));
  await tellConflicts(ports.events, run.runId, output.conflicts);
  return { checksRef, usage, warnings };
}
