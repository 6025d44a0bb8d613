import type { Report, ReportClaim, ReportSetAside } from '../../contracts/report/report';
import type { VerdictCounts } from '../../contracts/verification/claim-verdict';
import { titleOfPart } from '../../core/report/summary-part';
import { WORST_FIRST } from './worst-first';

/** A claim of a report, whether it stands there or not, as `show --claims --json` gives it. */
export interface ListedClaim extends Pick<ReportClaim, 'id' | 'verdict' | 'code' | 'reason' | 'probability'> {
  text: string;
  section: { id: string; title: string };
  citations: number[];
  /** The passages, the one on which the verdict rests first; `n` is null for a source that the report does not list. */
  evidence: {
    n: number | null;
    sourceId: string;
    quote: string;
    start: number;
    end: number;
    page?: number;
    place?: string;
  }[];
  /** The source that bears a misattributed claim; `n` is null for one that the report does not list. */
  better?: { n: number | null; sourceId: string };
  /** What became of one that does not stand; null for one that does. */
  setAside: ReportSetAside['action'] | null;
}

export interface ClaimsListing {
  kind: 'claims';
  id: string;
  audit: VerdictCounts;
  claims: ListedClaim[];
}

type OfTheClaim = 'id' | 'verdict' | 'code' | 'reason' | 'probability' | 'text' | 'citations';

/** A claim with what the listing adds, and nothing else that it may have. */
export function listedClaim(
  { id, verdict, code, reason, probability, text, citations }: Pick<ListedClaim, OfTheClaim>,
  added: Omit<ListedClaim, OfTheClaim>,
): ListedClaim {
  return { id, verdict, code, reason, probability, text, citations, ...added };
}

/** All claims, the worst first; those of one verdict in the order of the text, and those that do not stand behind them. */
export function listClaims(report: Report): ClaimsListing {
  const titleOf = titleOfPart(report.sections);
  const sectionOf = (id: string): ListedClaim['section'] => ({ id, title: titleOf(id) });
  const sourceIds = new Map(report.citations.map(({ n, sourceId }) => [n, sourceId]));
  const numbers = new Map(report.citations.map(({ n, sourceId }) => [sourceId, n]));
  const standing = report.claims.map((claim) =>
    listedClaim(claim, {
      section: sectionOf(claim.sectionId),
      evidence: claim.evidence.map((place) => ({ ...place, sourceId: sourceIds.get(place.n) ?? '' })),
      setAside: null,
    }),
  );
  const aside = report.setAside.map((claim) => {
    const { evidence, betterSourceId: sourceId } = claim;
    return listedClaim(claim, {
      section: sectionOf(claim.sectionId),
      evidence: evidence === null ? [] : [{ n: numbers.get(evidence.sourceId) ?? null, ...evidence }],
      ...(sourceId === undefined ? {} : { better: { n: numbers.get(sourceId) ?? null, sourceId } }),
      setAside: claim.action,
    });
  });
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id: report.id,
    audit: report.audit,
    claims: WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}
