import { clip } from '../../core/writing/attribution';
import { inSeries } from '../../core/writing/in-series';
import type { VerifiedClaim, VerifiedReport } from '../../contracts/verification/verified-report';

type Titles = VerifiedReport['sources']['titles'];

/** Longer labels, such as addresses, say less than the source's title. */
const LONGEST_LABEL = 30;
const LONGEST_TITLE = 60;

/** By what a reader knows the source that a claim's quote stands in: `[3]` where the claim cites it so, else its title. */
export function placeName(
  claim: Pick<VerifiedClaim, 'citations' | 'evidence'>,
  titles: Titles,
): string | null {
  return claim.evidence === null ? null : nameOf(claim.evidence.sourceId, claim, titles);
}

function nameOf(id: string, { citations }: Pick<VerifiedClaim, 'citations'>, titles: Titles): string {
  const label = citations.find(({ sourceId }) => sourceId === id)?.label;
  return label === undefined || label.length > LONGEST_LABEL ? titleOf(id, titles) : `[${label}]`;
}

type Reasoned = Pick<
  VerifiedClaim,
  'verdict' | 'code' | 'citations' | 'reason' | 'betterSourceId' | 'saidElsewhere' | 'notBorneBy'
>;

/**
 * Why a claim has its verdict; of one that lost a source with the source that says it, or what is missing; and which of those that it
 * cites do not bear it.
 */
export function reasonOf(claim: Reasoned, titles: Titles): string {
  const { reason, notBorneBy = [] } = claim;
  const refused = notBorneBy.map((id) => nameOf(id, claim, titles));
  const not =
    refused.length === 0 ? '' : `${inSeries(refused)} ${refused.length === 1 ? 'does' : 'do'} not say so.`;
  return [whereElse(claim, titles), reason, not].filter((part) => part !== '').join(' ');
}

function whereElse({ verdict, code, betterSourceId, saidElsewhere }: Reasoned, titles: Titles): string {
  const ids =
    saidElsewhere?.map(({ sourceId }) => sourceId) ?? (betterSourceId === undefined ? [] : [betterSourceId]);
  if (ids.length === 0) return '';
  const named = inSeries([...new Set(ids)].map((id) => `“${titleOf(id, titles)}”`));
  if (code !== 'misattributed') return `A part of it stands in ${named}, which it does not cite.`;
  return verdict === 'partial'
    ? `The rest stands in ${named}, which it does not cite.`
    : `It stands in ${named}.`;
}

function titleOf(id: string, titles: Titles): string {
  return clip(titles[id] ?? id, LONGEST_TITLE);
}
