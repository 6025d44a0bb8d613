import type { BriefMaterial, BriefSource } from '../contracts/brief/brief-material';
import type { Finding, Evidence } from '../contracts/report/finding';
import { findDisagreements } from './find-disagreements';
import { disputedConfidence } from './statement-confidence';

export interface HeldAgainstEachOther extends Pick<BriefMaterial, 'held' | 'conflicts'> {
  findings: Finding[];
}

/** `findings` have the confidence that each has by itself. */
export function heldAgainstEachOther(
  question: string,
  findings: readonly Omit<Finding, 'evidence'>[],
  sources: readonly BriefSource[],
): HeldAgainstEachOther {
  const { findings: placed, held } = holdStatements(findings);
  const byId = new Map(sources.map((source) => [source.id, source]));
  const conflicts = findDisagreements(question, placed, byId);
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const settled = placed.map((finding) =>
    disputed.has(finding.id) ? { ...finding, confidence: disputedConfidence(finding.confidence) } : finding,
  );
  return { findings: settled, held, conflicts };
}

interface HeldStatements {
  findings: Finding[];
  held: Record<string, string>;
}

/** A line of each source's text for each finding that cites it, in their order. */
function holdStatements(findings: readonly Omit<Finding, 'evidence'>[]): HeldStatements {
  const held = new Map<string, string>();
  const placed = findings.map((finding): Finding => {
    const evidence = finding.citations.map((sourceId): Evidence => {
      const before = held.get(sourceId);
      const start = before === undefined ? 0 : before.length + 1;
      held.set(sourceId, before === undefined ? finding.claim : `${before}\n${finding.claim}`);
      return { sourceId, quote: finding.claim, start, end: start + finding.claim.length };
    });
    return { ...finding, evidence };
  });
  return { findings: placed, held: Object.fromEntries(held) };
}
