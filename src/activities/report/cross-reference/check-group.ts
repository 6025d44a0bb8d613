import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings, type Finding } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import type { Passage, SourceWindow } from '../../../contracts/source/passage';
import type { CataloguedSource } from '../../../contracts/source/source';
import { groupedBy } from '../../../core/values/grouped-by';
import { crossCheck } from '../../../steps/cross-check/cross-check';
import type { SectionScope } from '../../../steps/material/section-scope';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { describedSource } from '../../shared/described-source';
import { ChecksPlan } from './plan-checks';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { readDigests } from '../deep-dive/read-sources';
import { runStep, type Spent } from '../../shared/run-step';
import { sectionChecks, tellConflicts } from './check-findings';

export interface CheckGroupInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
  checksPlanRef: ArtifactRef;
  call: number;
}

/**
 * Pass 3 for one group of sources: the findings of all sections that are near to them, held against them. In the call without sources
 * all findings are held against each other, by their quotes.
 */
export async function checkGroup(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, findingsRefs, checksPlanRef, call }: CheckGroupInput,
  signal: AbortSignal,
): Promise<{ checksRef: ArtifactRef } & Spent> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { sourceIds = [], findingIds = [] } =
    (await readShared(ports.content, checksPlanRef, ChecksPlan)).calls[call] ?? {};
  const wanted = new Set(findingIds);
  const found = await Promise.all(findingsRefs.map((ref) => readShared(ports.content, ref, SectionFindings)));
  const findings = found.flatMap((section) => section.findings).filter(({ id }) => wanted.has(id));
  const quoted = findings.flatMap(({ evidence }) => evidence.map(({ sourceId }) => sourceId));
  const byId = await catalogue.named([...sourceIds, ...quoted]);
  const group = await readDigests(
    ports,
    run,
    sourceIds.flatMap((id) => byId.get(id) ?? []),
    signal,
  );
  const sources = [...group, ...quotedElsewhere(findings, [...byId.values()], new Set(sourceIds))];
  const { enableFactChecking: factChecking, enableConflictDetection: detectConflicts } = run.synthesis;
  const section = reportFacts(`check-${call + 1}`, await readShared(ports.content, outlineRef, Outline));
  const input = {
    question: run.question,
    section,
    findings,
    sources,
    ...(sourceIds.length === 0 ? { areAll: true } : {}),
    factChecking,
    detectConflicts,
  };
  const place = { pass: 3, ordinal: call };
  const { output, ...spent } = await runStep(ports, run, crossCheck, input, { place, signal });
  const checksRef = await storeArtifact(ports.content, run.runId, sectionChecks(output, group));
  await tellConflicts(ports.events, run.runId, output.conflicts);
  return { checksRef, ...spent };
}

/** What findings quote of sources that are not in the group: the quotes alone, so that a conflict can name them. */
function quotedElsewhere(
  findings: readonly Finding[],
  catalogued: readonly CataloguedSource[],
  inGroup: ReadonlySet<string>,
): SourceWindow[] {
  const quotes = findings
    .flatMap(({ evidence }) => evidence)
    .filter(({ sourceId }) => !inGroup.has(sourceId));
  const bySource = groupedBy(quotes, ({ sourceId }) => sourceId);
  return catalogued.flatMap((source) => {
    const own = bySource.get(source.id);
    if (own === undefined) return [];
    const passages = [
      ...new Map(
        own.map(({ start, end, quote }) => [`${start}-${end}`, { start, end, text: quote, headings: [] }]),
      ).values(),
    ];
    passages.sort((one: Passage, other: Passage) => one.start - other.start || one.end - other.end);
    return [
      {
        ...describedSource(source),
        nearDuplicateOf: source.nearDuplicateOf,
        summaryOnly: false,
        passages,
      },
    ];
  });
}

function reportFacts(id: string, { overallTheme, sections }: Outline): SectionScope {
  return {
    id,
    title: 'the whole report',
    description: overallTheme,
    subsections: sections.map(({ title }) => title),
  };
}
