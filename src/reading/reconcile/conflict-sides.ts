import { numbersIn } from '../../language/numbers';
import { sameNumber } from '../../language/same-number';
import type { Verdict } from '../statement';
import type { Clash } from './clash';
import { placeOf, type QuotedStatement } from './quoted-statement';

/** A quote with what it says: its figure, or its verdict where it tells one. */
export interface Stand {
  quoted: QuotedStatement;
  figure: string;
  verdict: Verdict | null;
}

/** The sides of a conflict in the order of their first quote, without the sources that stand on several. */
export function sidesOf(clashes: readonly Clash[]): Stand[][] {
  const pairs = clashes.map(standsOf);
  const sides = clashes[0]?.comparison.kind === 'number' ? byFigure(pairs.flat()) : byPartner(pairs);
  const rootsOf = (side: readonly Stand[]): Set<string> => new Set(side.map(({ quoted }) => quoted.root));
  return sides
    .map((side) => {
      const elsewhere = new Set(
        sides.filter((other) => other !== side).flatMap((other) => [...rootsOf(other)]),
      );
      return side.filter(({ quoted }) => !elsewhere.has(quoted.root));
    })
    .filter((side) => side.length > 0);
}

function standsOf({ a, b, comparison }: Clash): [Stand, Stand] {
  const [one, other] =
    comparison.kind === 'number'
      ? comparison.figures.map((figure) => ({ figure, verdict: null }))
      : comparison.verdicts.map((verdict) => ({ figure: '', verdict }));
  const untold = { figure: '', verdict: null };
  return [
    { quoted: a, ...(one ?? untold) },
    { quoted: b, ...(other ?? untold) },
  ];
}

/** Two sides: whoever contradicts one of the first is on the second, and the other way round. */
function byPartner(pairs: readonly (readonly [Stand, Stand])[]): Stand[][] {
  const [first, second]: [Stand[], Stand[]] = [[], []];
  const isOnFirst = new Map<string, boolean>();
  for (const [one, other] of pairs) {
    const [place, otherPlace] = [placeOf(one.quoted.evidence), placeOf(other.quoted.evidence)];
    const isFirst = isOnFirst.get(place) ?? !(isOnFirst.get(otherPlace) ?? false);
    isOnFirst.set(place, isFirst);
    isOnFirst.set(otherPlace, !isFirst);
    (isFirst ? first : second).push(one);
    (isFirst ? second : first).push(other);
  }
  return [first, second];
}

/** One side a figure; those that may be one number stand together. */
function byFigure(stands: readonly Stand[]): Stand[][] {
  const sides: Stand[][] = [];
  for (const stand of stands) {
    const side = sides.find((others) => others.some(({ figure }) => areOne(figure, stand.figure)));
    if (side === undefined) sides.push([stand]);
    else side.push(stand);
  }
  return sides;
}

function areOne(figure: string, other: string): boolean {
  const [one, two] = [numbersIn(figure)[0], numbersIn(other)[0]];
  return figure === other || (one !== undefined && two !== undefined && sameNumber(one, two));
}
