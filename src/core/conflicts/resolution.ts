import { countDistinctEvidence, type SourcesById } from '../agreement/distinct-evidence';
import type { Viewpoint } from '../contracts/finding';

export interface Resolution {
  resolution: string;
  reason: string;
}

/** So much more distinct evidence must one side have than all others to be favoured for that alone. */
const MUCH_MORE = 3;

/** Both sides are presented, unless standing or the amount of distinct evidence speaks for one of them. */
export function resolve(viewpoints: readonly Viewpoint[], sources: SourcesById): Resolution {
  const authoritative = viewpoints.map((viewpoint) =>
    viewpoint.citations.some((id) => sources.get(id)?.quality.level === 'authoritative'),
  );
  const counts = viewpoints.map((viewpoint) => countDistinctEvidence(viewpoint.evidence, sources));
  const standing = authoritative.filter(Boolean).length === 1 ? authoritative.indexOf(true) : -1;
  if (standing >= 0) {
    return {
      resolution: `favor_viewpoint_${standing + 1}`,
      reason: `Only the ${ordinal(standing)} of the views rests on a source rated authoritative.`,
    };
  }
  const most = Math.max(...counts);
  const leader = counts.indexOf(most);
  const rest = counts.filter((_count, index) => index !== leader);
  if (most >= MUCH_MORE && rest.every((count) => count * MUCH_MORE <= most)) {
    return {
      resolution: `favor_viewpoint_${leader + 1}`,
      reason: `The ${ordinal(leader)} view has ${most} independent sources behind it, the other ${Math.max(...rest)}.`,
    };
  }
  return { resolution: 'present_both', reason: '' };
}

function ordinal(index: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth'][index] ?? `${index + 1}th`;
}
