import type { Viewpoint } from '../../contracts/report/finding';
import { countDistinctEvidence, type SourcesById } from '../../core/evidence/distinct-evidence';

/** So many more sources must one side have to be favoured for that. */
const MANY_MORE = 2;

/** Both sides are presented, unless only one rests on an authoritative source, or has clearly more sources; and why. */
export function resolve(
  viewpoints: readonly Viewpoint[],
  sources: SourcesById,
): { resolution: string; reason: string } {
  const standing = viewpoints.map(({ citations }) =>
    citations.some((id) => sources.get(id)?.quality.level === 'authoritative'),
  );
  if (standing.filter(Boolean).length === 1) {
    const at = standing.indexOf(true);
    return favouring(at, `Only the ${ordinal(at)} view rests on a source rated authoritative.`);
  }
  const counts = viewpoints.map(({ evidence }) => countDistinctEvidence(evidence, sources));
  const at = counts.indexOf(Math.max(...counts));
  const others = Math.max(...counts.filter((_count, index) => index !== at));
  const most = counts[at] ?? 0;
  return most - others >= MANY_MORE
    ? favouring(at, `${most} sources stand behind the ${ordinal(at)} view, ${others} behind the other.`)
    : { resolution: 'present_both', reason: '' };
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

function ordinal(at: number): string {
  return ORDINALS[at] ?? `${at + 1}th`;
}

function favouring(at: number, reason: string): { resolution: string; reason: string } {
  return { resolution: `favor_viewpoint_${at + 1}`, reason };
}
