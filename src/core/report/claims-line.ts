import { reportTexts } from '../../texts/report';
import { Verdict, type VerdictCounts } from '../../contracts/verification/claim-verdict';
import type { Bearing, Fate } from '../../texts/report';
import { groupedBy } from '../values/grouped-by';
import { quotation } from '../writing/quotation';

export interface AsideTold {
  fate: Exclude<Fate, 'stands'>;
  part: string;
}

/**
 * Under the title: how many claims there are, how many have which verdict, and what became of those that are not supported: how
 * many are set aside, in which parts, and how many stand all the same. None of them is repeated. `bearing` is what they were
 * held against.
 */
export function claimsLine(
  audit: VerdictCounts,
  setAside: readonly AsideTold[],
  { bearing = 'passages' }: { bearing?: Bearing },
): string {
  const { claims, supported, inference } = audit;
  if (claims === 0) return reportTexts.noClaim;
  if (supported === claims) return reportTexts.allSupported(claims, bearing);
  const counts = Verdict.options
    .map((verdict) => ({ verdict, amount: audit[verdict] }))
    .filter(({ verdict, amount }) => verdict === 'supported' || amount > 0);
  const open = claims - supported - inference;
  const became = open === 0 ? '' : whatBecame(open, setAside);
  return reportTexts.claimsHeld(claims, bearing, counts, became);
}

function whatBecame(open: number, setAside: readonly AsideTold[]): string {
  const having = (fate: Fate): number => setAside.filter((one) => one.fate === fate).length;
  const fates = (['left-out', 'removed', 'stands'] as const)
    .map((fate) => ({ fate, amount: fate === 'stands' ? open - setAside.length : having(fate) }))
    .filter(({ amount }) => amount > 0);
  const parts = [...groupedBy(setAside, ({ part }) => part)].map(([part, own]) => ({
    amount: own.length,
    part: quotation(part),
  }));
  return reportTexts.claimsOpen(open, fates, parts.length === 0 ? '' : reportTexts.asidesListed(parts));
}
