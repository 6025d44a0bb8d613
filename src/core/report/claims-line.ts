import type { ReportSetAside } from '../../contracts/report/report';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { Verdict, type VerdictCounts } from '../../contracts/verification/claim-verdict';
import { count } from '../writing/count';

/** Over the list of the claims that do not stand. */
export const SET_ASIDE_HEADING = 'Claims Set Aside';

/** Under the title: how many claims there are, how many have which verdict, and what became of those that are not supported. */
export function claimsLine(
  audit: VerdictCounts,
  setAside: readonly Pick<ReportSetAside, 'action'>[],
  mode: SynthesisSettings['unsupportedClaims'],
): string {
  const { claims, supported } = audit;
  const share = `${supported} of ${claims}`;
  if (claims === 0) return 'The report makes no claim: 0 of 0.';
  if (claims === 1 && supported === 1) return `The one claim is supported by what it cites: ${share}.`;
  if (supported === claims)
    return `All ${claims} claims are supported by the passages that they cite: ${share}.`;
  const others = Verdict.options.filter((verdict) => verdict !== 'supported' && audit[verdict] > 0);
  const counts = [`${supported} supported (${share})`, ...others.map((name) => `${audit[name]} ${name}`)];
  const was = claims === 1 ? 'was' : 'were';
  return `${count(claims, 'claim')} ${was} held against the passages that they cite: ${counts.join(', ')}. ${whatBecame(claims - supported, setAside, mode)}`;
}

function whatBecame(
  open: number,
  setAside: readonly Pick<ReportSetAside, 'action'>[],
  mode: SynthesisSettings['unsupportedClaims'],
): string {
  const replaced = setAside.filter(({ action }) => action === 'replaced').length;
  const gone = mode === 'remove' ? 'removed' : 'left out';
  const fates: [amount: number, one: string, more: string][] = [
    [replaced, 'is replaced by the words of its finding', 'are replaced by the words of their findings'],
    [setAside.length - replaced, `is ${gone}`, `are ${gone}`],
    [open - setAside.length, 'stands as it was written', 'stand as they were written'],
  ];
  const told = fates
    .filter(([amount]) => amount > 0)
    .map(([amount, one, more]) => `${open === 1 ? '' : `${amount} `}${amount === 1 ? one : more}`);
  const whose = open === 1 ? 'The one that is not supported' : `Of the ${open} that are not supported,`;
  const listed = told.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  return `${whose} ${listed}${whereListed(setAside.length, mode)}.`;
}

function whereListed(amount: number, mode: SynthesisSettings['unsupportedClaims']): string {
  if (amount === 0) return '';
  if (mode === 'remove') return `; report.json lists what does not stand`;
  return `; what does not stand is marked in its place, and listed under “${SET_ASIDE_HEADING}”`;
}
