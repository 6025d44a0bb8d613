import { besideKey, type Bearing, type ClaimBesideQuote } from '../reading/reconcile/bearing';
import { namedAgreement, rarityAmong } from '../reading/reconcile/named-agreement';
import { namedToReconcile, type ReconcileInput } from '../reading/reconcile/reconcile-findings';
import { bearingByWords } from '../verification/bearing-by-words';

export interface NamedBeside {
  named: ClaimBesideQuote[];
  /** By `besideKey`. */
  byWords: Map<string, Bearing>;
}

export function namedInFindings(toReconcile: ReconcileInput): NamedBeside {
  const input = namedToReconcile(toReconcile);
  const named = namedAgreement(input);
  const weightOf = rarityAmong(input.together, named);
  const told = named.flatMap((one): [string, Bearing][] => {
    const bearing = bearingByWords(one, input.sources, weightOf);
    return bearing === null ? [] : [[besideKey(one), bearing]];
  });
  return { named, byWords: new Map(told) };
}
