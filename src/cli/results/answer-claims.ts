import type { Answer } from '../../contracts/answer/answer';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { countVerdicts } from '../../core/settled-text/count-verdicts';
import { listedClaim, type ClaimsListing, type ListedClaim } from './claims-listing';
import { WORST_FIRST } from './worst-first';

const ANSWER = { id: ANSWER_TEXT, title: 'Answer' };

/** All claims of an answer, the worst first, those that do not stand behind those of the same verdict that do. */
export function listAnswerClaims({ requestId, claims, setAside, citations }: Answer): ClaimsListing {
  const numberOf = new Map(citations.map(({ n, sourceId }) => [sourceId, n]));
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const better = (sourceId: string | undefined): Pick<ListedClaim, 'better'> =>
    sourceId === undefined ? {} : { better: { n: numberOf.get(sourceId) ?? null, sourceId } };
  const standing = claims.map((claim) =>
    listedClaim(claim, {
      section: ANSWER,
      evidence: claim.evidence.map((place) => ({
        ...place,
        sourceId: sourceOf.get(place.n) ?? place.sourceId,
      })),
      ...better(claim.betterSourceId),
      setAside: null,
    }),
  );
  const aside = setAside.map((claim, at) => {
    const { evidence } = claim;
    return listedClaim(
      { ...claim, id: `A${at + 1}`, citations: [] },
      {
        section: ANSWER,
        evidence: evidence === null ? [] : [{ n: numberOf.get(evidence.sourceId) ?? null, ...evidence }],
        ...better(claim.betterSourceId),
        setAside: claim.action,
      },
    );
  });
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id: requestId,
    audit: countVerdicts(all),
    claims: WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}
