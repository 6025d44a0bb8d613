import type { Evidence, Finding } from '../contracts/report/finding';

/** What the summaries say on each source's account, and the findings with their places there. */
export interface HeldStatements {
  findings: Finding[];
  held: Record<string, string>;
}

/** A line of each source's text for each finding that cites it, in their order. */
export function holdStatements(findings: readonly Omit<Finding, 'evidence'>[]): HeldStatements {
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
