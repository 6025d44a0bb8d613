import { z } from 'zod';
import { type Finding, SectionFindings } from '../contracts/finding';
import { Outline } from '../contracts/outline';
import {
  type ArtifactRef,
  type CataloguedSource,
  type Passage,
  SourceId,
  type SourceWindow,
} from '../contracts/source';
import { needsChecking } from '../evidence/corroboration';
import { groupBy, splitEvenly } from '../lib/iterables';
import { crossCheck, mergeCrossChecks } from '../steps/cross-check';
import type { SectionScope } from '../steps/material';
import { readingGroups, smallestWindow } from '../text/reading-groups';
import { readCached, readOptional, storeArtifact } from './artifacts';
import { type Catalogue, openCatalogue, readDigests, toCitableSource } from './catalogue';
import {
  checkedSourceIds,
  citedSourceIds,
  nearestToEach,
  recordConflicts,
  SectionChecks,
  toSectionChecks,
} from './cross-check-section';
import { ReadingPlan } from './deep-dive';
import type { ActivityPorts, ReportContext } from './ports';
import { runStep, type UsageAndWarnings } from './run-step';

const ChecksPlan = z.object({
  calls: z.array(z.object({ sourceIds: z.array(SourceId), findingIds: z.array(z.string()) })),
});
export type ChecksPlan = z.infer<typeof ChecksPlan>;

export interface PlanChecksInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  readingRef: ArtifactRef;
  findingsRefs: ArtifactRef[];
}

export interface PlannedChecks {
  checksPlanRef: ArtifactRef;
  calls: number;
}

/** Sources per finding, the nearest; the whole group of each is read. */
const NEAREST = 2;
/** Extra candidates, because a finding cannot use its own sources and their duplicates. */
const SPARE = 3;
/** Findings that fit into one answer. */
const FINDINGS_PER_CALL = 60;

/** Each finding also goes to the nearest groups with sources that it does not cite. */
export async function planChecks(
  ports: ActivityPorts,
  { run, catalogueRef, readingRef, findingsRefs }: PlanChecksInput,
  signal: AbortSignal,
): Promise<PlannedChecks> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const reading = await readCached(ports.content, readingRef, ReadingPlan);
  const found = await Promise.all(findingsRefs.map((ref) => readCached(ports.content, ref, SectionFindings)));
  const findingIds = found.flatMap(({ findings }) => findings.map(({ id }) => id));
  const groups = [
    ...new Map(reading.calls.map(({ sourceIds }) => [sourceIds.join(' '), sourceIds])).values(),
  ];
  const areReadTogether = groups.length === 1 && groups[0]?.length === catalogue.ids.length;
  const plan: ChecksPlan = {
    calls: [
      ...(!areReadTogether ? await callsByGroups(ports, run, { catalogue, groups, found }, signal) : []),
      ...(findingIds.length === 0 ? [] : [{ sourceIds: [], findingIds }]),
    ],
  };
  return {
    checksPlanRef: await storeArtifact(ports.content, run.runId, plan),
    calls: plan.calls.length,
  };
}

async function callsByGroups(
  ports: ActivityPorts,
  run: ReportContext,
  { catalogue, groups, found }: { catalogue: Catalogue; groups: string[][]; found: SectionFindings[] },
  signal: AbortSignal,
): Promise<ChecksPlan['calls']> {
  const nearest = (
    await Promise.all(found.map((section) => nearestInSection(ports, run, catalogue, section, signal)))
  ).flat();
  const read = new Set(groups.flat());
  const further = new Set(nearest.flatMap(({ sources }) => sources).filter((id) => !read.has(id)));
  const furtherGroups = readingGroups([...(await catalogue.named(further)).values()], {
    settings: run.synthesis,
    contextTokens: smallestWindow(run.models),
  });
  return [...groups, ...furtherGroups.map((group) => group.map(({ id }) => id))].flatMap((sourceIds) => {
    const inGroup = new Set(sourceIds);
    const near = nearest.filter(({ sources }) => sources.some((id) => inGroup.has(id)));
    return splitEvenly(near, FINDINGS_PER_CALL).map((part) => ({
      sourceIds,
      findingIds: part.map(({ findingId }) => findingId),
    }));
  });
}

/** A finding that needs no check may still be one side of a conflict. */
function needsCrossCheck({ synthesis }: ReportContext, finding: Finding): boolean {
  return (
    synthesis.enableConflictDetection ||
    needsChecking(finding, { factChecking: synthesis.enableFactChecking })
  );
}

async function nearestInSection(
  ports: ActivityPorts,
  run: ReportContext,
  catalogue: Catalogue,
  section: SectionFindings,
  signal: AbortSignal,
): Promise<{ findingId: string; sources: string[] }[]> {
  const findings = section.findings.filter((finding) => needsCrossCheck(run, finding));
  if (findings.length === 0) return [];
  const cited = new Set(findings.flatMap(({ citations }) => citations));
  const statements = findings.map(({ claim }) => claim);
  const count = run.synthesis.pass3CrossRefCount + cited.size;
  const about = { statements, except: new Set<string>(), count, most: NEAREST + SPARE };
  const nearest = await nearestToEach(ports, catalogue, about, signal);
  return findings.map(({ id, citations }, at) => ({
    findingId: id,
    sources: (nearest[at] ?? []).filter((source) => !citations.includes(source)).slice(0, NEAREST),
  }));
}

export interface CheckGroupInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
  checksPlanRef: ArtifactRef;
  call: number;
}

/** A call without sources compares all findings by their quotes. */
export async function checkGroup(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, findingsRefs, checksPlanRef, call }: CheckGroupInput,
  signal: AbortSignal,
): Promise<{ checksRef: ArtifactRef } & UsageAndWarnings> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { sourceIds = [], findingIds = [] } =
    (await readCached(ports.content, checksPlanRef, ChecksPlan)).calls[call] ?? {};
  const wanted = new Set(findingIds);
  const found = await Promise.all(findingsRefs.map((ref) => readCached(ports.content, ref, SectionFindings)));
  const findings = found.flatMap((section) => section.findings).filter(({ id }) => wanted.has(id));
  const quoted = findings.flatMap(({ evidence }) => evidence.map(({ sourceId }) => sourceId));
  const byId = await catalogue.named([...sourceIds, ...quoted]);
  const group = await readDigests(
    ports,
    run,
    sourceIds.flatMap((id) => byId.get(id) ?? []),
    signal,
  );
  const sources = [...group, ...quotesOutsideGroup(findings, [...byId.values()], new Set(sourceIds))];
  const { enableFactChecking: factChecking, enableConflictDetection: detectConflicts } = run.synthesis;
  const section = reportScope(`check-${call + 1}`, await readCached(ports.content, outlineRef, Outline));
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
  const checksRef = await storeArtifact(ports.content, run.runId, toSectionChecks(output, group));
  await recordConflicts(ports.events, run.runId, output.conflicts);
  return { checksRef, ...spent };
}

/** Only the quotes, so that a conflict can name their sources. */
function quotesOutsideGroup(
  findings: readonly Finding[],
  catalogued: readonly CataloguedSource[],
  inGroup: ReadonlySet<string>,
): SourceWindow[] {
  const quotes = findings
    .flatMap(({ evidence }) => evidence)
    .filter(({ sourceId }) => !inGroup.has(sourceId));
  const bySource = groupBy(quotes, ({ sourceId }) => sourceId);
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
        ...toCitableSource(source),
        nearDuplicateOf: source.nearDuplicateOf,
        summaryOnly: false,
        passages,
      },
    ];
  });
}

export interface SettleChecksInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
  checksPlanRef: ArtifactRef;
  /** Result of each call in the plan; null if it failed. */
  checksRefs: (ArtifactRef | null)[];
}

export interface SettledChecks {
  /** In the order of `findingsRefs`; null if a finding of the section could not be checked. */
  checksRefs: (ArtifactRef | null)[];
}

/** After the calls of pass 3: merges their results by section. Uses no engine. */
export async function settleChecks(
  ports: ActivityPorts,
  { run, catalogueRef, findingsRefs, checksPlanRef, checksRefs }: SettleChecksInput,
): Promise<SettledChecks> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { calls } = await readCached(ports.content, checksPlanRef, ChecksPlan);
  const told = await Promise.all(checksRefs.map((ref) => readOptional(ports.content, ref, SectionChecks)));
  const checked = new Set(calls.flatMap(({ findingIds }, at) => (told[at] === null ? [] : findingIds)));
  const missed = new Set(calls.flatMap(({ findingIds }) => findingIds).filter((id) => !checked.has(id)));
  const found = await Promise.all(findingsRefs.map((ref) => readCached(ports.content, ref, SectionFindings)));
  const sources = await catalogue.named([
    ...found.flatMap((section) => citedSourceIds(section.findings)),
    ...told.flatMap(checkedSourceIds),
  ]);
  const given = new Set<string>();
  const settled: (ArtifactRef | null)[] = [];
  for (const { sectionId, findings } of found) {
    const ids = new Set(findings.map(({ id }) => id));
    const own = told.flatMap((checks) => {
      if (checks === null) return [];
      // A conflict between sections goes to the first of them.
      const conflicts = checks.conflicts.filter(
        ({ id, findingIds }) => !given.has(id) && findingIds.some((finding) => ids.has(finding)),
      );
      for (const { id } of conflicts) given.add(id);
      return [{ ...checks, conflicts }];
    });
    const merged = mergeCrossChecks({ section: { id: sectionId }, findings }, own, sources);
    const readInFull = [...new Set(own.flatMap((checks) => checks.readInFull))];
    const followUps = own.flatMap((checks) => checks.followUps ?? []);
    const isFirst = settled.length === 0;
    const checks: SectionChecks = {
      ...merged,
      // Gaps concern the whole report and go to its first section.
      gaps: isFirst ? own.flatMap((part) => part.gaps) : [],
      ...(isFirst && own.some((part) => part.followUps !== undefined) ? { followUps } : {}),
      readInFull,
    };
    const isMissed = findings.some(({ id }) => missed.has(id));
    settled.push(isMissed ? null : await storeArtifact(ports.content, run.runId, checks));
  }
  return { checksRefs: settled };
}

function reportScope(id: string, { overallTheme, sections }: Outline): SectionScope {
  return {
    id,
    title: 'the whole report',
    description: overallTheme,
    subsections: sections.map(({ title }) => title),
  };
}
