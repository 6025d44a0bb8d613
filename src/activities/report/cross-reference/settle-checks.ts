import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings } from '../../../contracts/report/finding';
import { mergeCrossChecks } from '../../../steps/cross-check/merge-cross-checks';
import { readIfAny, readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { ChecksPlan } from './plan-checks';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { checkedSources, SectionChecks, sourcesOf } from './section-checks';

export interface SettleChecksInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
  checksPlanRef: ArtifactRef;
  /** What each call of the plan left; null where it failed. */
  checksRefs: (ArtifactRef | null)[];
}

export interface SettledChecks {
  /** In the order of the findings. `checksRef` is null where a finding of the section could not be checked at all. */
  checksRefs: (ArtifactRef | null)[];
  /** True where every finding was held against every source: there is nowhere else to look for support. */
  isExhaustive: boolean;
}

/** Pass 3, after its calls: what they say of each section's findings. Asks no engine. */
export async function settleChecks(
  ports: ActivityPorts,
  { run, catalogueRef, findingsRefs, checksPlanRef, checksRefs }: SettleChecksInput,
): Promise<SettledChecks> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { calls } = await readShared(ports.content, checksPlanRef, ChecksPlan);
  const told = await Promise.all(checksRefs.map((ref) => readIfAny(ports.content, ref, SectionChecks)));
  const checked = new Set(calls.flatMap(({ findingIds }, at) => (told[at] === null ? [] : findingIds)));
  const missed = new Set(calls.flatMap(({ findingIds }) => findingIds).filter((id) => !checked.has(id)));
  const found = await Promise.all(findingsRefs.map((ref) => readShared(ports.content, ref, SectionFindings)));
  const sources = await catalogue.named([
    ...found.flatMap((section) => sourcesOf(section.findings)),
    ...told.flatMap(checkedSources),
  ]);
  const given = new Set<string>();
  const settled: (ArtifactRef | null)[] = [];
  for (const { sectionId, findings } of found) {
    const ids = new Set(findings.map(({ id }) => id));
    const own = told.flatMap((checks) => {
      if (checks === null) return [];
      // A conflict that is between sections is told of in the first of them.
      const conflicts = checks.conflicts.filter(
        ({ id, findingIds }) => !given.has(id) && findingIds.some((finding) => ids.has(finding)),
      );
      for (const { id } of conflicts) given.add(id);
      return [{ ...checks, conflicts }];
    });
    const merged = mergeCrossChecks({ section: { id: sectionId }, findings }, own, sources);
    const readInFull = [...new Set(own.flatMap((checks) => checks.readInFull))];
    // What a part of the sources does not answer the others may.
    const gaps = calls.length === 1 && settled.length === 0 ? own.flatMap((checks) => checks.gaps) : [];
    const checks: SectionChecks = {
      ...merged,
      gaps: gaps.map(({ question, reason }) => ({ question, reason })),
      readInFull,
    };
    const isMissed = findings.some(({ id }) => missed.has(id));
    settled.push(isMissed ? null : await storeArtifact(ports.content, run.runId, checks));
  }
  const isExhaustive = calls.every(({ sourceIds }) => sourceIds.length === catalogue.ids.length);
  return { checksRefs: settled, isExhaustive };
}
