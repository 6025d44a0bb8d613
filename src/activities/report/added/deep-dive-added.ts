import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings } from '../../../contracts/report/finding';
import { eventKey } from '../../../core/run/event-key';
import { extractFindings } from '../../../steps/extract-findings/extract-findings';
import { readIfAny, storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { roundOf } from '../../shared/round-of';
import { runStep, type Spent } from '../../shared/run-step';
import { readWindows } from '../deep-dive/read-windows';
import { topSources } from '../deep-dive/top-sources';
import { wantedFindings } from '../deep-dive/wanted-findings';
import { openCatalogue } from '../gather/catalogue';
import { briefOf, readSection } from '../overview/outline-section';

export interface DeepDiveAddedInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  sectionId: string;
  /** How many sources of the catalogue were read for before. */
  known: number;
  /** What the section has so far; null where that is nothing. */
  findingsRef: ArtifactRef | null;
}

export interface DeepDivenAdded extends Spent {
  /** What the new sources gave. */
  addedRef: ArtifactRef;
  /** That and what the section had. */
  findingsRef: ArtifactRef;
  findings: number;
}

/** What sources that were added later give to one section; nothing that was read before is read again. */
export async function deepDiveAdded(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sectionId, known, findingsRef }: DeepDiveAddedInput,
  signal: AbortSignal,
): Promise<DeepDivenAdded> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const fresh = new Set(catalogue.ids.slice(known));
  const ofNew = { ...section, sourceScores: section.sourceScores.filter((one) => fresh.has(one.sourceId)) };
  const chosen = await topSources(ofNew, catalogue, run.synthesis.pass2FullContentCount);
  const at = { pass: 2, besides: 0, signal };
  const { sources, retrievals } = await readWindows(ports, run, briefOf(section), chosen, at);
  const input = {
    question: run.question,
    section: briefOf(section),
    sources,
    findings: { min: 1, max: Math.min(wantedFindings(run).max, PER_SOURCE * sources.length) },
    counts: catalogue.counts,
  };
  const place = { pass: 2, section: sectionId, ...roundOf(run) };
  const { output, ...spent } = await runStep(ports, run, extractFindings, input, { place, signal });
  const before = await readIfAny(ports.content, findingsRef, SectionFindings);
  const from = lastNumber(before);
  const findings = output.findings.map((finding, index) => ({
    ...finding,
    id: `${sectionId}-finding-${from + index + 1}`,
  }));
  const read = sources.map(({ sourceId, summaryOnly }) => ({ sourceId, isInFull: !summaryOnly }));
  const added: SectionFindings = {
    sectionId,
    findings,
    ...(output.leftOut === undefined ? {} : { leftOut: output.leftOut }),
    readInFull: read.filter(({ isInFull }) => isInFull).map(({ sourceId }) => sourceId),
    readBySummary: read.filter(({ isInFull }) => !isInFull).map(({ sourceId }) => sourceId),
    retrievals,
  };
  await ports.events.appendOnce(
    run.runId,
    eventKey({ ...place, step: extractFindings.name, type: 'deep-dive-section' }),
    {
      type: 'deep-dive-section',
      payload: {
        sectionId,
        title: section.title,
        sectionName: section.title,
        sourcesUsed: sources.length,
        findings: findings.length,
      },
    },
  );
  return {
    addedRef: await storeArtifact(ports.content, run.runId, added),
    findingsRef: await storeArtifact(ports.content, run.runId, joined(before, added)),
    findings: findings.length,
    ...spent,
  };
}

/** A source says so much to a section at most. */
const PER_SOURCE = 5;

/** Ids of findings end in a number. */
function lastNumber(before: SectionFindings | null): number {
  const numbers = (before?.findings ?? []).map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0));
  return Math.max(0, ...numbers);
}

function joined(before: SectionFindings | null, added: SectionFindings): SectionFindings {
  if (before === null) return added;
  const sum = (name: keyof SectionFindings['retrievals']): number =>
    before.retrievals[name] + added.retrievals[name];
  const leftOut = [...(before.leftOut ?? []), ...(added.leftOut ?? [])];
  return {
    sectionId: added.sectionId,
    findings: [...before.findings, ...added.findings],
    ...(leftOut.length === 0 ? {} : { leftOut }),
    readInFull: [...new Set([...before.readInFull, ...added.readInFull])],
    readBySummary: [...new Set([...before.readBySummary, ...added.readBySummary])],
    retrievals: {
      requested: sum('requested'),
      found: sum('found'),
      missing: sum('missing'),
      chars: sum('chars'),
    },
  };
}
