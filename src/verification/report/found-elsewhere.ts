import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import type { OpenClaim } from './open-claims';
import type { ClaimFound } from './with-verdicts';

/** Whether a claim was found to say more than what it cites, so that another source may hold the rest. */
export function mayStandElsewhere({ verdict }: ClaimVerdict): boolean {
  return verdict === 'partial' || verdict === 'unsupported';
}

/**
 * A claim that does not stand on what it cites, after it was held against further sources as well: misattributed where it stands
 * on all of them together and a quote is from one that it does not cite; with that quote where such a source says a part of it.
 */
export function foundElsewhere(
  { sourceIds }: Pick<OpenClaim, 'sourceIds'>,
  onCited: ClaimVerdict,
  onAll: ClaimVerdict,
): ClaimFound {
  const quotes = onAll.quotes ?? (onAll.evidence === null ? [] : [onAll.evidence]);
  const saidElsewhere = quotes.filter(({ sourceId }) => !sourceIds.includes(sourceId));
  const [best] = saidElsewhere;
  if (best === undefined || onAll.code !== 'critic') return onCited;
  if (onAll.verdict === 'supported')
    return { ...onCited, code: 'misattributed', betterSourceId: best.sourceId, saidElsewhere };
  return onAll.verdict === 'partial' || onAll.verdict === 'inference'
    ? { ...onCited, saidElsewhere }
    : onCited;
}
