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

/** Document 002: a finding on which sources conflict has this confidence at most. */
const CONFLICT_CONFIDENCE = 0.6;

/**
 * One list of findings for the report, from all sections in outline order: what supports a finding is merged under it,
 * a claim that several sections make stays in the first of them, and each conflict and each gap is there once.
 */
export function reconcileFindings(
  sections: readonly CheckedSection[],
  findConflicts: (findings: Finding[]) => Conflict[],
): ValidatedFindings {
  const merged = mergeRepeats(
    sections.map((section) => section.found.findings.map((finding) => supported(finding, section))),
  );
  const findings = merged.sections.flat();
  const conflicts = distinctConflicts(
    [...sections.flatMap((section) => section.checks?.conflicts ?? []), ...findConflicts(findings)],
    merged.keptAs,
  );
  const disputed = new Set(conflicts.flatMap((conflict) => conflict.findingIds));
  return {
    sections: sections.map(({ found }, index) => ({
      sectionId: found.sectionId,
      findings: (merged.sections[index] ?? []).map((finding) =>
        disputed.has(finding.id)
          ? { ...finding, confidence: Math.min(finding.confidence, CONFLICT_CONFIDENCE) }
          : finding,
      ),
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

function mergeRepeats(sections: readonly Finding[][]): {
  sections: Finding[][];
  keptAs: Map<string, string>;
} {
  const kept = new Map<string, Finding>();
  const keptAs = new Map<string, string>();
  for (const finding of sections.flat()) {
    const key = sentenceKey(finding.claim);
    const first = kept.get(key);
    keptAs.set(finding.id, first?.id ?? finding.id);
    kept.set(
      key,
      first === undefined
        ? finding
        : {
            ...withEvidence(first, finding.evidence),
            confidence: Math.max(first.confidence, finding.confidence),
            contexts: [
              ...first.contexts,
              ...finding.contexts.filter(
                ({ sourceId }) => !first.contexts.some((context) => context.sourceId === sourceId),
              ),
            ],
          },
    );
  }
  const byId = new Map([...kept.values()].map((finding) => [finding.id, finding]));
  return {
    sections: sections.map((findings) => findings.flatMap(({ id }) => byId.get(id) ?? [])),
    keptAs,
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
