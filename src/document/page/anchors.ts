/** Where the passage of a claim stands: `#claim-7`. It is the address of the claim that is shared. */
export function claimAnchor(claimId: string): string {
  return claimId.startsWith('claim-') ? claimId : `claim-${claimId}`;
}

export function placeAnchor(claimId: string): string {
  return `in-text-${claimAnchor(claimId)}`;
}

export function partAnchor(partId: string): string {
  return `part-${partId}`;
}

export function sourceAnchor(n: number): string {
  return `source-${n}`;
}

export function asideAnchor(asideId: string): string {
  return `aside-${asideId}`;
}
