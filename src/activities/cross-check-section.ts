import type { ArtifactRef } from '../core/contracts/artifact';
import { SectionFindings } from '../core/contracts/finding';
import { SourceCatalogue } from '../core/contracts/source';
import { crossCheck } from '../steps/cross-check';
import { readArtifact, readShared, storeArtifact } from './artifacts';
import { briefOf, readSection } from './outline-section';
import type { ActivityPorts, RunBrief } from './ports';
import { readWindows } from './read-windows';
import { runStep, type Spent } from './run-step';
import { tellConflicts } from './tell-conflicts';

export interface CrossCheckSectionInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  findingsRef: ArtifactRef;
  sectionId: string;
}

export interface CrossCheckSectionResult extends Spent {
  checksRef: ArtifactRef;
}

/** Pass 3 for one section: its findings held against the sources they came from, and against further ones. */
export async function crossCheckSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, findingsRef, sectionId }: CrossCheckSectionInput,
  signal: AbortSignal,
): Promise<CrossCheckSectionResult> {
  const catalogue = await readShared(ports.content, catalogueRef, SourceCatalogue);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const { findings } = await readArtifact(ports.content, findingsRef, SectionFindings);
  const cited = new Set(findings.flatMap((finding) => finding.citations));
  const claims = findings.map((finding) => finding.claim);
  const further = await nearestSources(ports, run, catalogue, { claims, except: cited }, signal);
  const rank = new Map([...cited, ...further].map((id, index) => [id, index]));
  const chosen = catalogue.sources
    .filter((source) => rank.has(source.id))
    .sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
  const sources = await readWindows(ports, run, briefOf(section), chosen, signal);
  const input = { question: run.question, section: briefOf(section), findings, sources };
  const place = { pass: 3, section: sectionId };
  const { output, usage, warnings } = await runStep(ports, run, crossCheck, input, { place, signal });
  const checksRef = await storeArtifact(ports.content, run.runId, output);
  await tellConflicts(ports.events, run.runId, output.conflicts);
  return { checksRef, usage, warnings };
}

/** The sources whose summaries are nearest to the claims. */
async function nearestSources(
  { content, threads }: ActivityPorts,
  run: RunBrief,
  catalogue: SourceCatalogue,
  about: { claims: string[]; except: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<string[]> {
  const summaries = await content.retrieveBatch(catalogue.sources.map((source) => source.summaryRef));
  const sources = catalogue.sources.map(({ id, summaryRef }) => ({
    id,
    summary: summaries.get(summaryRef) ?? '',
  }));
  const count = run.synthesis.pass3CrossRefCount;
  return threads.run('further-sources', { ...about, sources, count }, signal);
}
