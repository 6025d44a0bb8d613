import type { VerifiedClaim } from '../../contracts/verification/verified-report';

/** Longer labels, such as addresses, say less than the source's id. */
const LONGEST_LABEL = 30;

/** By what a reader knows the source that a claim's quote stands in: `[3]` where the claim cites it so, else its id. */
export function placeName({
  citations,
  evidence,
}: Pick<VerifiedClaim, 'citations' | 'evidence'>): string | null {
  if (evidence === null) return null;
  const label = citations.find(({ sourceId }) => sourceId === evidence.sourceId)?.label;
  return label === undefined || label.length > LONGEST_LABEL ? evidence.sourceId : `[${label}]`;
}

/** Why a claim has its verdict; of a misattributed one with the source that bears it. */
export function reasonOf({
  reason,
  betterSourceId,
}: Pick<VerifiedClaim, 'reason' | 'betterSourceId'>): string {
  return betterSourceId === undefined ? reason : `It stands in ${betterSourceId}. ${reason}`;
}
