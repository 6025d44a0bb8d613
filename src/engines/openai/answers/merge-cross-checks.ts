import { corroboratedConfidence } from '../../../core/evidence/corroborated-confidence';
import type { Conflict, Evidence } from '../../../core/contracts/finding';
import { sentenceKey } from '../../../core/near-duplicate-sentences';
import type { CrossCheckInput, CrossCheckOutput, FindingCheck } from '../../../steps/cross-check';

interface Part {
  input: CrossCheckInput;
  output: CrossCheckOutput;
}

/**
 * What checks against parts of the sources, or of parts of the findings, say together. What every part misses is a gap; a
 * part alone cannot know what the others have.
 */
export function mergeCrossChecks(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput {
  const conflicts = distinctConflicts(input, parts);
  const disputed = new Set(conflicts.flatMap((conflict) => conflict.findingIds));
  const sources = new Map(input.sources.map((window) => [window.sourceId, window]));
  const checks = input.findings.map((finding): FindingCheck => {
    const own = parts.flatMap(({ output }) =>
      output.checks.filter(({ findingId }) => findingId === finding.id),
    );
    const supporting = distinct(own.flatMap((check) => check.supporting));
    const contradicting = distinct(own.flatMap((check) => check.contradicting));
    const conflicting = contradicting.length > 0 || disputed.has(finding.id);
    const untouched = own.every((check) => check.confidence === finding.confidence);
    const confidence =
      untouched && !conflicting && supporting.length === 0
        ? finding.confidence
        : corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting });
    const check = { findingId: finding.id, supporting, contradicting, confidence };
    return own.every(({ unanswered }) => unanswered) && !conflicting ? { ...check, unanswered: true } : check;
  });
  return { checks, conflicts, gaps: sharedGaps(input, parts) };
}

function distinctConflicts({ section }: CrossCheckInput, parts: readonly Part[]): Conflict[] {
  const byQuotes = new Map<string, Conflict>();
  for (const conflict of parts.flatMap(({ output }) => output.conflicts)) {
    const key = conflict.viewpoints
      .flatMap(({ evidence }) => evidence.map(({ sourceId, start }) => `${sourceId}@${start}`))
      .sort()
      .join(' ');
    if (!byQuotes.has(key)) byQuotes.set(key, conflict);
  }
  return [...byQuotes.values()].map((conflict, index) => ({
    ...conflict,
    id: `conflict-${section.id}-${index + 1}`,
  }));
}

function sharedGaps(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput['gaps'] {
  const sameSources = parts.every((part) => part.input.sources.length === input.sources.length);
  const gaps = new Map<string, { gap: CrossCheckOutput['gaps'][number]; parts: number }>();
  for (const { output } of parts) {
    for (const gap of output.gaps) {
      const key = sentenceKey(gap.question);
      gaps.set(key, { gap, parts: (gaps.get(key)?.parts ?? 0) + 1 });
    }
  }
  return [...gaps.values()]
    .filter((found) => sameSources || found.parts === parts.length)
    .map(({ gap }) => gap);
}

function distinct(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((item) => [`${item.sourceId}@${item.start}`, item])).values()];
}
