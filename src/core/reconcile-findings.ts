import { countDistinctEvidence, type SourcesById } from './agreement/distinct-evidence';
import { checkedConfidence } from './confidence';
import { findConflicts } from './conflicts/find-conflicts';
import type {
  Conflict,
  Evidence,
  Finding,
  Gap,
  SectionFindings,
  ValidatedFindings,
} from './contracts/finding';
import { sentenceKey } from './near-duplicate-sentences';

/** What a cross-check found out about one finding. */
export interface CheckedFinding {
  findingId: string;
  supporting: Evidence[];
  confidence: number;
}

export interface CheckedSection {
  found: SectionFindings;
  /** Null where the section was not cross-checked: its findings stay as pass 2 left them. */
  checks: { checks: CheckedFinding[]; conflicts: Conflict[]; gaps: Gap[] } | null;
}

/**
 * One list of findings for the report, from all sections in outline order: what supports a finding is merged under it,
 * a claim that several sections make stays in the first of them, all findings are held against each other, and each
 * conflict and each gap is there once.
 */
export function reconcileFindings(
  sections: readonly CheckedSection[],
  sources: SourcesById,
): ValidatedFindings {
  const merged = mergeRepeats(
    sections.map((section) => section.found.findings.map((finding) => supported(finding, section))),
  );
  const conflicts = distinctConflicts(
    [
      ...sections.flatMap((section) => section.checks?.conflicts ?? []),
      ...findConflicts({ findings: merged.sections.flat(), sources }),
    ],
    merged.keptAs,
  );
  const disputed = new Set(conflicts.flatMap((conflict) => conflict.findingIds));
  const confidenceOf = (finding: Finding): number => {
    const conflicting = disputed.has(finding.id);
    if (!conflicting && !merged.repeated.has(finding.id)) return finding.confidence;
    return checkedConfidence({
      confidence: finding.confidence,
      distinctEvidence: countDistinctEvidence(finding.evidence, sources),
      authoritative: finding.citations.some((id) => sources.get(id)?.quality.level === 'authoritative'),
      conflicting,
    });
  };
  return {
    sections: sections.map(({ found }, index) => ({
      sectionId: found.sectionId,
      findings: (merged.sections[index] ?? []).map((finding) => ({
        ...finding,
        confidence: confidenceOf(finding),
      })),
    })),
    conflicts,
    gaps: distinctGaps(sections.flatMap((section) => section.checks?.gaps ?? [])),
  };
}

function supported(finding: Finding, { checks }: CheckedSection): Finding {
  const check = checks?.checks.find(({ findingId }) => findingId === finding.id);
  if (check === undefined) return finding;
  return { ...withEvidence(finding, check.supporting), confidence: check.confidence };
}

/** Adds quotes of sources that the finding does not quote yet. */
function withEvidence(finding: Finding, further: readonly Evidence[]): Finding {
  const evidence = [...finding.evidence];
  for (const item of further) {
    if (!evidence.some((known) => known.sourceId === item.sourceId)) evidence.push(item);
  }
  return { ...finding, evidence, citations: [...new Set(evidence.map((item) => item.sourceId))] };
}

interface MergedFindings {
  sections: Finding[][];
  /** Under which id each finding lives on. */
  keptAs: Map<string, string>;
  /** Those that took in a repeat. */
  repeated: Set<string>;
}

/** A claim in the same words is one finding, in the first section that makes it, with the quotes of all. */
function mergeRepeats(sections: readonly Finding[][]): MergedFindings {
  const firstOf = new Map<string, Finding>();
  const keptAs = new Map<string, string>();
  const repeated = new Set<string>();
  for (const finding of sections.flat()) {
    const key = sentenceKey(finding.claim);
    const first = firstOf.get(key);
    keptAs.set(finding.id, first?.id ?? finding.id);
    firstOf.set(key, first === undefined ? finding : mergedInto(first, finding));
    if (first !== undefined) repeated.add(first.id);
  }
  const byId = new Map([...firstOf.values()].map((finding) => [finding.id, finding]));
  return {
    sections: sections.map((findings) => findings.flatMap(({ id }) => byId.get(id) ?? [])),
    keptAs,
    repeated,
  };
}

function mergedInto(first: Finding, repeat: Finding): Finding {
  const known = new Set(first.contexts.map((context) => context.sourceId));
  return {
    ...withEvidence(first, repeat.evidence),
    confidence: Math.max(first.confidence, repeat.confidence),
    contexts: [...first.contexts, ...repeat.contexts.filter(({ sourceId }) => !known.has(sourceId))],
  };
}

/** Conflicts about the same findings, or with the same quotes against each other, are one; numbered in their order. */
function distinctConflicts(conflicts: readonly Conflict[], keptAs: ReadonlyMap<string, string>): Conflict[] {
  const seen = new Set<string>();
  const distinct: Conflict[] = [];
  for (const conflict of conflicts) {
    const findingIds = [...new Set(conflict.findingIds.map((id) => keptAs.get(id) ?? id))];
    const keys = [
      `quotes ${conflict.viewpoints
        .map(({ evidence }) => evidenceKey(evidence))
        .sort()
        .join(' | ')}`,
      ...(findingIds.length > 1 ? [`findings ${[...findingIds].sort().join(' ')}`] : []),
    ];
    if (keys.some((key) => seen.has(key))) continue;
    for (const key of keys) seen.add(key);
    distinct.push({ ...conflict, id: `conflict-${distinct.length + 1}`, findingIds });
  }
  return distinct;
}

function evidenceKey(evidence: readonly Evidence[]): string {
  return evidence
    .map(({ sourceId, start }) => `${sourceId}@${start}`)
    .sort()
    .join(' ');
}

function distinctGaps(gaps: readonly Gap[]): Gap[] {
  return [...new Map(gaps.map((gap) => [sentenceKey(gap.question), gap])).values()];
}
