import { Verdict, type VerdictCounts } from '../../contracts/verification/claim-verdict';
import { groupedBy } from '../values/grouped-by';
import { count } from '../writing/count';
import { inSeries } from '../writing/in-series';
import { quotation } from '../writing/quotation';

/** What became of a claim that does not stand, and the title of the part in which it stood. */
export interface AsideTold {
  fate: 'replaced' | 'left-out' | 'removed';
  part: string;
}

const NAMES: Record<Exclude<Verdict, 'supported'>, string> = {
  inference: 'inferred by the report from what it cites',
  partial: 'partial',
  contradicted: 'contradicted',
  unsupported: 'unsupported',
  unchecked: 'unchecked',
};

/**
 * Under the title: how many claims there are, how many have which verdict, and what became of those that are not supported: how
 * many are set aside, in which parts, and how many stand all the same. None of them is repeated. `bearing` is what they were
 * held against. Where `isQuoted`, the claims are quotes, but for those `counting` what sources say: that their sources bear them
 * is no merit, and no answer.
 */
export function claimsLine(
  audit: VerdictCounts,
  setAside: readonly AsideTold[],
  {
    bearing = 'the passages that they cite',
    isQuoted = false,
    counting = 0,
  }: { bearing?: string | undefined; isQuoted?: boolean; counting?: number } = {},
): string {
  const { claims, supported, inference } = audit;
  const share = `${supported} of ${claims}`;
  if (claims === 0) return 'The report makes no claim: 0 of 0.';
  if (supported === claims && isQuoted) {
    const quotes = claims - counting;
    const which =
      counting > 0 ? `${count(quotes, 'claim')}` : claims === 1 ? 'The one claim' : `All ${claims} claims`;
    const counts =
      counting === 0 ? '' : `; ${counting} more ${counting === 1 ? 'counts' : 'count'} what sources say`;
    return `${which} ${quotes === 1 ? 'is a quote' : 'are quotes'}, word for word, and ${quotes === 1 ? 'stands' : 'stand'} where cited${counts}: ${share}. That tells what the sources say, not how well it answers.`;
  }
  if (claims === 1 && supported === 1) return `The one claim is supported by what it cites: ${share}.`;
  if (supported === claims) return `All ${claims} claims are supported by ${bearing}: ${share}.`;
  const others = Verdict.options
    .filter((verdict) => verdict !== 'supported')
    .filter((name) => audit[name] > 0);
  const counts = [
    `${supported} supported (${share})`,
    ...others.map((name) => `${audit[name]} ${NAMES[name]}`),
  ];
  const was = claims === 1 ? 'was' : 'were';
  const open = claims - supported - inference;
  const became = open === 0 ? '' : ` ${whatBecame(open, setAside)}`;
  return `${count(claims, 'claim')} ${was} held against ${bearing}: ${counts.join(', ')}.${became}`;
}

function whatBecame(open: number, setAside: readonly AsideTold[]): string {
  const having = (fate: AsideTold['fate']): number => setAside.filter((one) => one.fate === fate).length;
  const fates: [amount: number, one: string, more: string][] = [
    [
      having('replaced'),
      'is replaced by the words of its finding',
      'are replaced by the words of their findings',
    ],
    [having('left-out'), 'is left out', 'are left out'],
    [having('removed'), 'is removed', 'are removed'],
    [open - setAside.length, 'stands as it was written', 'stand as they were written'],
  ];
  const those = fates.filter(([amount]) => amount > 0);
  const are = open === 1 ? 'The one that is' : `${those.length === 1 ? 'The' : 'Of the'} ${open} that are`;
  const told = those.map(([amount, one, more]) => {
    const what = amount === 1 ? one : more;
    return those.length === 1 ? what : `${amount} ${what}`;
  });
  const became = inSeries(told);
  return `${are} not supported${those.length === 1 ? '' : ','} ${became}${listedIn(setAside)}.`;
}

/**
 * `; set aside: 1 in “Swimming” and 2 in “Walking”, listed with the reasons in report.json and …`. The file is told without its
 * ending: renderers take `set-aside.md` for an address of Moldova.
 */
function listedIn(setAside: readonly AsideTold[]): string {
  if (setAside.length === 0) return '';
  const parts = [...groupedBy(setAside, ({ part }) => part)].map(
    ([part, own]) => `${own.length} in ${quotation(part)}`,
  );
  const reasons = setAside.length === 1 ? 'reason' : 'reasons';
  return `; set aside: ${inSeries(parts)}, listed with the ${reasons} in report.json and in the file “set-aside” beside it`;
}
