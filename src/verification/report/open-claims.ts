import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import type { VerifiedReport } from '../../contracts/verification/verified-report';
import { withoutOwnRemarks } from '../../core/report/own-remarks';
import { groupedBy } from '../../core/values/grouped-by';
import type { HeldSources } from './held-sources';

/** A claim that words do not find supported, though what it cites is there, with what to show to whoever is asked about it. */
export interface OpenClaim {
  /** Where it stands in the report: what says the same and cites the same is one claim. */
  ids: string[];
  /** Without what a report of this program remarks on it. */
  plain: string;
  sourceIds: string[];
  evidence: Evidence[];
  /** Sources that it does not cite and that may hold what those lack. */
  elsewhere: string[];
  byWords: ClaimVerdict;
}

/** In the order of the report. Words acquit: what they find supported is open for nobody. */
export function openClaims({ claims }: Pick<VerifiedReport, 'claims'>, held: HeldSources): OpenClaim[] {
  const open = claims
    .filter(({ verdict, code }) => verdict !== 'supported' && code !== 'no-passage')
    .map((claim) => ({
      claim,
      plain: withoutOwnRemarks(claim.text),
      sourceIds: [...new Set(claim.citations.flatMap(({ sourceId }) => sourceId ?? []))],
    }));
  const same = groupedBy(open, ({ plain, sourceIds }) => JSON.stringify([plain, [...sourceIds].sort()]));
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { plain, sourceIds, claim } = first;
    const { cited, elsewhere } = held.look(plain, sourceIds);
    if (cited.length === 0) return [];
    const { verdict, code, reason, evidence, probability, betterSourceId } = claim;
    const better = betterSourceId === undefined ? [] : [betterSourceId];
    return {
      ids: group.map((one) => one.claim.id),
      plain,
      sourceIds,
      evidence: cited,
      elsewhere: [...new Set([...better, ...elsewhere])],
      byWords: {
        verdict,
        code,
        reason,
        evidence,
        probability,
        ...(betterSourceId === undefined ? {} : { betterSourceId }),
      },
    };
  });
}

/** The same claim held against further sources as well; null where there are none. */
export function heldAgainstMore(claim: OpenClaim, held: HeldSources): OpenClaim | null {
  if (claim.elsewhere.length === 0) return null;
  const sourceIds = [...claim.sourceIds, ...claim.elsewhere];
  return { ...claim, sourceIds, evidence: held.look(claim.plain, sourceIds).cited };
}
