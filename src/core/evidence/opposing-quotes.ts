import type { Conflict, Evidence } from '../../contracts/report/finding';

/**
 * The places of the quotes that stand against each other, side by side: the same text for the same evidence, in whatever
 * order the sides and the quotes come, so that a conflict that is found twice is known again.
 */
export function opposingQuotes({ viewpoints }: Pick<Conflict, 'viewpoints'>): string {
  return viewpoints
    .map(({ evidence }) => placesOf(evidence))
    .sort()
    .join(' | ');
}

function placesOf(evidence: readonly Evidence[]): string {
  return [...new Set(evidence.map(({ sourceId, start }) => `${sourceId}@${start}`))].sort().join(' ');
}
