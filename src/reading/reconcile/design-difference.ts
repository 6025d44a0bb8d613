import type { Viewpoint } from '../../contracts/report/finding';
import type { SourcesById } from '../../core/evidence/distinct-evidence';

/** That one view rests on studies with controls and the other on studies without any; empty where that is not so, or not known. */
export function designDifference(viewpoints: readonly Viewpoint[], sources: SourcesById): string {
  const designs = viewpoints.map(({ citations }) => {
    const [first, ...others] = new Set(citations.map((id) => sources.get(id)?.design));
    return others.length === 0 ? first : undefined;
  });
  const [at, other] = [designs.indexOf('controlled'), designs.indexOf('uncontrolled')];
  if (viewpoints.length !== 2 || at < 0 || other < 0) return '';
  return at === 0
    ? 'The first view rests on a study with controls, the second on one without.'
    : 'The second view rests on a study with controls, the first on one without.';
}
