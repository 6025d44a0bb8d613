import type { BriefMaterial, BriefSource } from '../contracts/brief/brief-material';
import type { Finding } from '../contracts/report/finding';
import { findDisagreements } from './find-disagreements';
import { holdStatements } from './hold-statements';
import { disputedConfidence } from './statement-confidence';

/** Findings with their places in what is held of their sources, and where they stand against each other. */
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
