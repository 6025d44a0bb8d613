import type { ArtifactRef } from '../core/contracts/artifact';
import type { Finding, SectionFindings } from '../core/contracts/finding';
import { Outline } from '../core/contracts/outline';
import { eventKey } from '../core/event-key';
import { inTurns } from '../core/in-turns';
import { extractFindings } from '../steps/extract-findings';
import { readArtifact, readShared, storeArtifact } from './artifacts';
import { GroupFindings } from './extract-group';
import { ReadingPlan } from './plan-reading';
import type { ActivityPorts, RunBrief } from './ports';
import { sourceRanking } from './rank-sources';
import { wantedFindings } from './wanted-findings';

export interface SettleFindingsInput {
  run: RunBrief;
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
  const { calls } = await readShared(ports.content, readingRef, ReadingPlan);
  const groups = await Promise.all(
    groupRefs.map((ref) => (ref === null ? null : readArtifact(ports.content, ref, GroupFindings))),
  );
  const settled: SettledFindings['sections'] = [];
  const results: SectionFindings[] = [];
  for (const { id: sectionId, title } of outline.sections) {
    const own = calls.flatMap(({ sectionIds }, at) => (sectionIds.includes(sectionId) ? [groups[at]] : []));
    const found = own.flatMap((group) => group ?? []);
    const result = settledSection(run, sectionId, found);
    const findings = result.findings.length;
    const findingsRef = await storeArtifact(ports.content, run.runId, result);
    const key = eventKey({
      pass: 2,
      section: sectionId,
      step: extractFindings.name,
      type: 'deep-dive-section',
    });
    await ports.events.appendOnce(run.runId, key, {
      type: 'deep-dive-section',
      payload: {
        sectionId,
        title,
        sourcesUsed: result.readInFull.length + result.readBySummary.length,
        findings,
      },
    });
    results.push(result);
    settled.push({ sectionId, findingsRef, findings, missed: own.length - found.length });
  }
  const rankingRef = await storeArtifact(ports.content, run.runId, sourceRanking(outline, results));
  return { sections: settled, rankingRef };
}

/** The surest of what the calls found, each call's in turn. */
function settledSection(run: RunBrief, sectionId: string, groups: readonly GroupFindings[]): SectionFindings {
  const bySureness = (one: Finding, other: Finding): number => other.confidence - one.confidence;
  const found = groups.map(({ findings }) =>
    findings.filter((finding) => finding.sectionId === sectionId).sort(bySureness),
  );
  const findings = inTurns(found)
    .sort(bySureness)
    .slice(0, wantedFindings(run).max)
    .map((finding, at) => ({ ...finding, id: `${sectionId}-finding-${at + 1}` }));
  const read = [
    ...new Map(groups.flatMap((group) => group.read).map((source) => [source.sourceId, source])).values(),
  ];
  // What a single pass reads of a source is no longer than its summary.
  const isInFull = ({ summaryOnly }: { summaryOnly: boolean }): boolean =>
    run.synthesis.enableMultiPass && !summaryOnly;
  return {
    sectionId,
    findings,
    readInFull: read.filter(isInFull).map(({ sourceId }) => sourceId),
    readBySummary: read.filter((source) => !isInFull(source)).map(({ sourceId }) => sourceId),
    retrievals: {
      requested: read.length,
      found: read.length,
      missing: 0,
      chars: read.reduce((sum, { chars }) => sum + chars, 0),
    },
  };
}
