import type { Direction } from '../assertions/assertion';
import type { ConflictKind } from '../contracts/finding';
import { aboutOf, type Clash, evidenceKey } from './clash';
import type { QuotedAssertion } from './quoted-assertions';
import { asMovement } from './valence';

/** A quote with what it says of the topic on which others contradict it. */
export interface Stand {
  quoted: QuotedAssertion;
  direction: Direction | null;
  value: number | null;
  unit: string;
  condition?: string;
}

/** The sides of a conflict, in the order of their first quote, without the sources that stand on several. */
export function sidesOf(kind: ConflictKind, clashes: readonly Clash[]): Stand[][] {
  const pairs = clashes.map(standsOf);
  const stands = pairs.flat();
  if (kind === 'number') return byValue(stands);
  const sides =
    kind === 'condition' || clashes.some(isUntold) ? byPartner(pairs) : byDirection(stands, clashes);
  return sides.map((side) => withoutTurncoats(side, stands)).filter((side) => side.length > 0);
}

function standsOf({ a, b, comparison: { sides } }: Clash): [Stand, Stand] {
  return [
    { quoted: a, ...sides[0] },
    { quoted: b, ...sides[1] },
  ];
}

/** Where the words are the same but for a negation, the parser may give both one direction: only the pair itself tells the sides. */
function isUntold({ comparison: { sides } }: Clash): boolean {
  return sides[0].direction === sides[1].direction || sides.some(({ direction }) => direction === null);
}

/** Two sides: whoever contradicts one of the first is on the second, and the other way round. */
function byPartner(pairs: readonly (readonly [Stand, Stand])[]): Stand[][] {
  const [first, second]: [Stand[], Stand[]] = [[], []];
  const onFirst = new Map<string, boolean>();
  for (const [one, other] of pairs) {
    const [key, otherKey] = [evidenceKey(one.quoted.evidence), evidenceKey(other.quoted.evidence)];
    const isFirst = onFirst.get(key) ?? !(onFirst.get(otherKey) ?? false);
    onFirst.set(key, isFirst);
    onFirst.set(otherKey, !isFirst);
    (isFirst ? first : second).push(one);
    (isFirst ? second : first).push(other);
  }
  return [first, second];
}

/** "improved pain" stands with "reduced pain". */
function byDirection(stands: readonly Stand[], clashes: readonly Clash[]): Stand[][] {
  const outcome = clashes[0] === undefined ? { text: '', terms: [] } : aboutOf(clashes[0]);
  const sides = new Map<string, Stand[]>();
  for (const stand of stands) {
    if (stand.direction === null) continue;
    const side = asMovement(stand.direction, outcome) ?? (stand.direction === 'better' ? 'up' : 'down');
    sides.set(side, [...(sides.get(side) ?? []), stand]);
  }
  return [...sides.values()];
}

/** Numbers that are nearly equal are on one side. */
function byValue(stands: readonly Stand[]): Stand[][] {
  const sides: Stand[][] = [];
  for (const stand of stands) {
    const value = Math.abs(stand.value ?? 0);
    const side = sides.find((others) =>
      others.some((other) => nearlyEqual(Math.abs(other.value ?? 0), value)),
    );
    if (side === undefined) sides.push([stand]);
    else side.push(stand);
  }
  return sides;
}

function nearlyEqual(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= Math.max(a, b) * 0.005;
}

/** Without the sources that say the one here and the other there: their own conditions differ in a way that was not seen. */
function withoutTurncoats(side: readonly Stand[], all: readonly Stand[]): Stand[] {
  const elsewhere = new Set(all.filter((stand) => !side.includes(stand)).map(({ quoted }) => quoted.root));
  return side.filter(({ quoted }) => !elsewhere.has(quoted.root));
}
