import type { ReportSetAside } from '../../contracts/report/report';
import { Verdict, type VerdictCounts } from '../../contracts/verification/claim-verdict';
import { count } from '../writing/count';

/** Over the list of the claims that do not stand. */
export const SET_ASIDE_HEADING = 'Claims Set Aside';

const NAMES: Record<Exclude<Verdict, 'supported'>, string> = {
  inference: 'inferred by the report from what it cites',
  partial: 'partial',
  contradicted: 'contradicted',
  unsupported: 'unsupported',
  unchecked: 'unchecked',
};

/**
 * Under the title: how many claims there are, how many have which verdict, and what became of those that are not supported:
 * those that are set aside and listed, those that are removed, and those that stand all the same. `bearing` is what they were held
 * against.
 */
export function claimsLine(
  audit: VerdictCounts,
  setAside: readonly Pick<ReportSetAside, 'action'>[],
  removed: number,
  bearing = 'the passages that they cite',
): string {
  const { claims, supported, inference } = audit;
  const share = `${supported} of ${claims}`;
  if (claims === 0) return 'The report makes no claim: 0 of 0.';
  if (claims === 1 && supported === 1) return `The one claim is supported by what it cites: ${share}.`;
  if (supported === claims) return `All ${claims} claims are supported by ${bearing}: ${share}.`;
  const others = Verdict.options.filter((verdict) => verdict !== 'supported').filter((name) => audit[name] > 0);
  const counts = [`${supported} supported (${share})`, ...others.map((name) => `${audit[name]} ${NAMES[name]}`)];
  const was = claims === 1 ? 'was' : 'were';
  const open = claims - supported - inference;
  const became = open === 0 ? '' : ` ${whatBecame(open, setAside, removed)}`;
  return `${count(claims, 'claim')} ${was} held against ${bearing}: ${counts.join(', ')}.${became}`;
}

function whatBecame(
  open: number,
  setAside: readonly Pick<ReportSetAside, 'action'>[],
  removed: number,
): string {
  const replaced = setAside.filter(({ action }) => action === 'replaced').length;
  const fates: [amount: number, one: string, more: string][] = [
    [replaced, 'is replaced by the words of its finding', 'are replaced by the words of their findings'],
    [setAside.length - replaced, 'is left out', 'are left out'],
    [removed, 'is removed', 'are removed'],
    [open - setAside.length - removed, 'stands as it was written', 'stand as they were written'],
  ];
  const those = fates.filter(([amount]) => amount > 0);
  const are = open === 1 ? 'The one that is' : `${those.length === 1 ? 'The' : 'Of the'} ${open} that are`;
  const told = those.map(([amount, one, more]) => {
    const what = amount === 1 ? one : more;
    return those.length === 1 ? what : `${amount} ${what}`;
  });
  const where = [
    setAside.length === 0 ? '' : `; see “${SET_ASIDE_HEADING}”`,
    removed === 0 ? '' : '; report.json lists what is removed',
  ];
  const became = told.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  return `${are} not supported${those.length === 1 ? '' : ','} ${became}${where.join('')}.`;
}
