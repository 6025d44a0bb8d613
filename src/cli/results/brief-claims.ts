import type { Brief } from '../../contracts/brief/brief';
import type { ClaimsListing, ListedClaim } from './claims-listing';
import { WORST_FIRST } from './worst-first';

/** All claims of a brief, the worst first, those that do not stand behind those of the same verdict that do. */
export function listBriefClaims({ id, parts, claims, setAside, citations, audit }: Brief): ClaimsListing {
  const titles = new Map(parts.map((part) => [part.id, part.title]));
  const sectionOf = (partId: string): ListedClaim['section'] => ({
    id: partId,
    title: titles.get(partId) ?? partId,
  });
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const numberOf = new Map(citations.map(({ n, sourceId }) => [sourceId, n]));
  const standing = claims.map(
    ({
      id: claimId,
      verdict,
      code,
      reason,
      probability,
      text,
      partId,
      citations: cited,
      evidence,
    }): ListedClaim => ({
      id: claimId,
      verdict,
      code,
      reason,
      probability,
      text,
      citations: cited,
      section: sectionOf(partId),
      evidence: evidence.map(({ subtopicId: _subtopic, ...place }) => ({
        ...place,
        sourceId: sourceOf.get(place.n) ?? '',
      })),
      setAside: null,
    }),
  );
  const aside = setAside.map(
    ({
      id: claimId,
      verdict,
      code,
      reason,
      probability,
      text,
      partId,
      citations: cited,
      evidence,
      betterSourceId: better,
      action,
    }): ListedClaim => ({
      id: claimId,
      verdict,
      code,
      reason,
      probability,
      text,
      citations: cited,
      section: sectionOf(partId),
      evidence: evidence === null ? [] : [{ n: numberOf.get(evidence.sourceId) ?? null, ...evidence }],
      ...(better === undefined ? {} : { better: { n: numberOf.get(better) ?? null, sourceId: better } }),
      setAside: action,
    }),
  );
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id,
    audit,
    claims: WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}
