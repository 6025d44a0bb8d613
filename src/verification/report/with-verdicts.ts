import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import type { VerifiedClaim, VerifiedReport } from '../../contracts/verification/verified-report';
import { countVerdicts } from '../../core/settled-text/count-verdicts';
import type { GivenSource } from './given-source';

export type ClaimFound = ClaimVerdict & Pick<VerifiedClaim, 'saidElsewhere'>;

/** The report where claims have other verdicts, by their ids: counted anew, with the titles that those name. */
export function withVerdicts(
  report: VerifiedReport,
  verdicts: ReadonlyMap<string, ClaimFound>,
  sources: readonly GivenSource[],
): VerifiedReport {
  const claims = report.claims.map((claim): VerifiedClaim => {
    const verdict = verdicts.get(claim.id);
    if (verdict === undefined) return claim;
    const { id, text, line, start, end, heading, citations } = claim;
    return { id, text, line, start, end, heading, citations, ...verdict };
  });
  return {
    ...report,
    claims,
    audit: auditOf(claims, report.audit.uncited),
    sources: { ...report.sources, titles: titlesNamed(claims, sources) },
  };
}

export function auditOf(claims: readonly VerifiedClaim[], uncited: number): VerifiedReport['audit'] {
  return { ...countVerdicts(claims), open: claims.filter(isOpen).length, uncited };
}

export function titlesNamed(
  claims: readonly VerifiedClaim[],
  sources: readonly GivenSource[],
): VerifiedReport['sources']['titles'] {
  const named = new Set(
    claims.flatMap(({ evidence, betterSourceId, saidElsewhere = [], notBorneBy = [] }) => [
      evidence?.sourceId,
      betterSourceId,
      ...saidElsewhere.map(({ sourceId }) => sourceId),
      ...notBorneBy,
    ]),
  );
  return Object.fromEntries(sources.filter(({ id }) => named.has(id)).map(({ id, title }) => [id, title]));
}

/** `supported`; of what stays open with how likely words make it: `unchecked 0.43`. */
export function verdictName(claim: Pick<VerifiedClaim, 'verdict' | 'code' | 'probability'>): string {
  const { verdict, probability } = claim;
  return isOpen(claim) && probability !== null ? `${verdict} ${probability.toFixed(2)}` : verdict;
}

/** Whether nobody could tell of a claim whether what it cites says it: what it cites is there, and did not settle it. */
export function isOpen({ verdict, code }: Pick<ClaimVerdict, 'verdict' | 'code'>): boolean {
  return verdict === 'unchecked' && code !== 'no-passage';
}
