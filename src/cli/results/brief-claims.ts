import type { Brief } from '../../contracts/brief/brief';
import { listedClaim, type ClaimsListing, type ListedClaim } from './claims-listing';
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
  const standing = claims.map((claim) =>
    listedClaim(claim, {
      section: sectionOf(claim.partId),
      evidence: claim.evidence.map(({ subtopicId: _subtopic, ...place }) => ({
        ...place,
        sourceId: sourceOf.get(place.n) ?? '',
      })),
      setAside: null,
    }),
  );
  const aside = setAside.map((claim) => {
    const { evidence, betterSourceId: sourceId } = claim;
    return listedClaim(claim, {
      section: sectionOf(claim.partId),
      evidence: evidence === null ? [] : [{ n: numberOf.get(evidence.sourceId) ?? null, ...evidence }],
      ...(sourceId === undefined ? {} : { better: { n: numberOf.get(sourceId) ?? null, sourceId } }),
      setAside: claim.action,
    });
  });
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id,
    audit,
    claims: WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}
