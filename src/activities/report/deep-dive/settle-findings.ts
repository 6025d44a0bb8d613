import type { ArtifactRef } from '../../../contracts/run/artifact';
import { type Finding, type LeftOutFinding, SectionFindings } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import { distinctBy } from '../../../core/values/distinct-by';
import { eventKey } from '../../../core/run/event-key';
import { inTurns } from '../../../core/values/in-turns';
import { extractFindings } from '../../../steps/extract-findings/extract-findings';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { GroupFindings } from './extract-group';
import { ReadingPlan } from './plan-reading';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { roundOf } from '../../shared/run-step';
import { wantedFindings } from '../../../core/passages/wanted-findings';
import type { SourceRanking } from '../../../contracts/report/ranking';
import { READ_FROM } from '../../../core/ranking/ranked-outline';
import { rankByFindings } from '../../../core/ranking/rank-by-findings';

export interface SettleFindingsInput {
  run: ReportFacts;
  outlineRef: ArtifactRef;
  readingRef: ArtifactRef;
  /** What each call of the reading plan left; null where it failed. */
  groupRefs: (ArtifactRef | null)[];
}

export interface SettledFindings {
  /** In outline order. `missed` is how many of the section's calls failed. */
  sections: { sectionId: string; findingsRef: ArtifactRef; findings: number; missed: number }[];
  /** What each source gave: pass 3 reads the best of them first. */
  rankingRef: ArtifactRef;
}

/** Pass 2, after its calls: what they found, by section, and the sources ranked by it. Asks no engine. */
export async function settleFindings(
  ports: ActivityPorts,
  { run, outlineRef, readingRef, groupRefs }: SettleFindingsInput,
): Promise<SettledFindings> {
  const outline = await readShared(ports.content, outlineRef, Outline);
  const { calls, sections: wantedBy } = await readShared(ports.content, readingRef, ReadingPlan);
  const groups = await Promise.all(groupRefs.map((ref) => readIfAny(ports.content, ref, GroupFindings)));
  const settled: SettledFindings['sections'] = [];
  const results: SectionFindings[] = [];
  for (const { id: sectionId, title } of outline.sections) {
    const own = calls.flatMap(({ sectionIds }, at) => (sectionIds.includes(sectionId) ? [groups[at]] : []));
    const found = own.flatMap((group) => group ?? []);
    const wanted = new Set(wantedBy.find((section) => section.sectionId === sectionId)?.sourceIds);
    const result = settledSection(run, { sectionId, wanted }, found);
    const findings = result.findings.length;
    const findingsRef = await storeArtifact(ports.content, run.runId, result);
    const key = eventKey({
      pass: 2,
      section: sectionId,
      ...roundOf(run),
      step: extractFindings.name,
      type: 'deep-dive-section',
    });
    await ports.events.appendOnce(run.runId, key, {
      type: 'deep-dive-section',
      payload: {
        sectionId,
        title,
        sectionName: title,
        sourcesUsed: [...result.readInFull, ...result.readBySummary].filter((id) => wanted.has(id)).length,
        findings,
      },
    });
    results.push(result);
    settled.push({ sectionId, findingsRef, findings, missed: own.length - found.length });
  }
  const rankingRef = await storeArtifact(ports.content, run.runId, sourceRanking(outline, results));
  return { sections: settled, rankingRef };
}

function settledSection(
  run: ReportFacts,
  { sectionId, wanted }: { sectionId: string; wanted: ReadonlySet<string> },
  groups: readonly GroupFindings[],
): SectionFindings {
  // What is quoted beside a model's findings takes the place of none of them.
  const bySureness = (one: Finding, other: Finding): number =>
    Number(one.quoted ?? false) - Number(other.quoted ?? false) || other.confidence - one.confidence;
  const found = groups.map(({ findings }) =>
    findings.filter((finding) => finding.sectionId === sectionId).sort(bySureness),
  );
  const { max } = wantedFindings(run.synthesis);
  const surest = inTurns(found).sort(bySureness);
  const findings = surest
    .slice(0, max)
    .map((finding, at) => ({ ...finding, id: `${sectionId}-finding-${at + 1}` }));
  const leftOut: LeftOutFinding[] = [
    ...groups.flatMap((group) => (group.leftOut ?? []).filter((one) => one.sectionId === sectionId)),
    ...surest.slice(max).map(({ claim, citations }) => ({
      sectionId,
      claim,
      citations,
      reason: `the section has room for ${max} findings, and surer ones fill it`,
    })),
  ];
  // A group may hold what is another section's to read; it was read for this one where it gave a finding.
  const gave = new Set(findings.flatMap(({ citations }) => citations));
  const read = distinctBy(
    groups.flatMap((group) => group.read),
    ({ sourceId }) => sourceId,
  ).filter(({ sourceId }) => wanted.has(sourceId) || gave.has(sourceId));
  // What a single pass reads of a source is no longer than its summary.
  const isInFull = ({ summaryOnly }: { summaryOnly: boolean }): boolean =>
    run.synthesis.enableMultiPass && !summaryOnly;
  return {
    sectionId,
    findings,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    readInFull: read.filter(isInFull).map(({ sourceId }) => sourceId),
    readBySummary: read.filter((source) => !isInFull(source)).map(({ sourceId }) => sourceId),
    retrievals: {
      requested: read.length,
      found: read.filter(({ summaryOnly }) => !summaryOnly).length,
      missing: read.filter(({ summaryOnly }) => summaryOnly).length,
      chars: read.reduce((sum, { chars }) => sum + chars, 0),
    },
  };
}

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

function sourceRanking(outline: Outline, found: readonly SectionFindings[]): SourceRanking {
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
