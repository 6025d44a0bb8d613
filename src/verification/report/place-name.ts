import { clip } from '../../core/writing/attribution';
import type { VerifiedClaim, VerifiedReport } from '../../contracts/verification/verified-report';

type Titles = VerifiedReport['sources']['titles'];

/** Longer labels, such as addresses, say less than the source's title. */
const LONGEST_LABEL = 30;
const LONGEST_TITLE = 60;

/** By what a reader knows the source that a claim's quote stands in: `[3]` where the claim cites it so, else its title. */
export function placeName(
  { citations, evidence }: Pick<VerifiedClaim, 'citations' | 'evidence'>,
  titles: Titles,
): string | null {
  if (evidence === null) return null;
  const label = citations.find(({ sourceId }) => sourceId === evidence.sourceId)?.label;
  return label === undefined || label.length > LONGEST_LABEL
    ? titleOf(evidence.sourceId, titles)
    : `[${label}]`;
}

/** Why a claim has its verdict; of a misattributed one with the source that bears it. */
export function reasonOf(
  { reason, betterSourceId }: Pick<VerifiedClaim, 'reason' | 'betterSourceId'>,
  titles: Titles,
): string {
  return betterSourceId === undefined
    ? reason
    : `It stands in “${titleOf(betterSourceId, titles)}”. ${reason}`;
}

function titleOf(id: string, titles: Titles): string {
  return clip(titles[id] ?? id, LONGEST_TITLE);
}
