import type { BriefSource } from '../contracts/brief/brief-material';
import { checkedConfidence } from '../core/evidence/confidence';
import type { MarkedBy } from './cited-statements';
import type { Stated } from './stated';

/**
 * How sure a statement of one general source is: Low by document 002, since nobody here has read that source; below 0.5, which
 * is weak evidence there, where no mark of its paragraph tells which source it has.
 */
const OF_ONE_SOURCE: Record<MarkedBy, number> = { itself: 0.65, neighbour: 0.6, subtopic: 0.45 };

/** What agreement of sources makes of it; marks that a statement has from others tell of no agreement. */
export function statementConfidence(
  { citations, markedBy }: Stated,
  sources: ReadonlyMap<string, BriefSource>,
): number {
  const confidence = OF_ONE_SOURCE[markedBy];
  if (markedBy !== 'itself') return confidence;
  const cited = citations.flatMap((id) => sources.get(id) ?? []);
  return checkedConfidence({
    confidence,
    // Sources of one text are one.
    distinctEvidence: new Set(cited.map(({ id, contentRef }) => contentRef ?? id)).size,
    authoritative: cited.some(({ quality: { level } }) => level === 'authoritative'),
    conflicting: false,
  });
}

export function disputedConfidence(confidence: number): number {
  return checkedConfidence({ confidence, distinctEvidence: 1, authoritative: false, conflicting: true });
}
