import type { SourcesById } from '../agreement/distinct-evidence';
import type { Direction } from '../assertions/assertion';
import type { ConflictKind, Viewpoint } from '../contracts/finding';

/** What a source reports of an outcome. */
export const DIRECTION_IN_WORDS: Readonly<Record<Direction, string>> = {
  up: 'an increase',
  down: 'a decrease',
  better: 'an improvement',
  worse: 'a deterioration',
  none: 'no significant effect or difference',
  differs: 'a difference',
};

export interface SideSummary {
  direction: Direction | null;
  /** The numbers that this side gives, in words: `12 %`. */
  amounts: readonly string[];
  /** Under what this side says that it holds: `regardless of age`; empty where conditions are not what differs. */
  condition: string;
  sources: number;
}

/** What differs between the sides, in one plain sentence. */
export function whatDiffers(kind: ConflictKind, topic: string, sides: readonly SideSummary[]): string {
  const directions = sides.map(({ direction }) => direction);
  if (kind === 'direction' && (directions.includes(null) || new Set(directions).size < sides.length))
    return `On ${topic}, what one source reports another denies.`;
  const parts = sides.map((side) => {
    const who = side.sources === 1 ? 'one source reports' : `${side.sources} sources report`;
    if (kind === 'condition') return `${who} the result ${withinSentence(side.condition)}`;
    if (kind === 'number') return `${who} ${side.amounts.join(' or ')}`;
    return `${who} ${side.direction === null ? '' : DIRECTION_IN_WORDS[side.direction]}`;
  });
  return `On ${topic}, ${parts.join('; ')}.`;
}

function withinSentence(condition: string): string {
  return /^[A-Z][a-z]/.test(condition) ? condition.charAt(0).toLowerCase() + condition.slice(1) : condition;
}

/** What the sources of the sides do not have in common and what could thus explain the conflict; empty where nothing is known. */
export function whatCouldExplain(viewpoints: readonly Viewpoint[], sources: SourcesById): string {
  const differing = [
    difference(
      'year',
      viewpoints,
      (id) => /\b(?:1[5-9]|20)\d\d\b/.exec(sources.get(id)?.publishedAt ?? '')?.[0],
    ),
  ].filter((text) => text !== '');
  return differing.length === 0 ? '' : `They differ in ${differing.join('; ')}, which may explain it.`;
}

function difference(
  name: string,
  viewpoints: readonly Viewpoint[],
  of: (sourceId: string) => string | undefined,
): string {
  const values = viewpoints.map((viewpoint) => [
    ...new Set(viewpoint.citations.flatMap((id) => of(id) ?? [])),
  ]);
  if (values.some((list) => list.length === 0)) return '';
  const [first = [], ...others] = values;
  if (others.some((list) => list.some((value) => first.includes(value)))) return '';
  return `${name} (${values.map((list) => list.slice(0, 3).join(', ')).join(' against ')})`;
}
