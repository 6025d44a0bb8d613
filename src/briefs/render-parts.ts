import type { BriefClaim } from '../contracts/brief/brief';
import { citedIds } from '../core/text/citation-marks';
import { type KnownAsides, numbersOf } from '../core/report/citation-numbers';
import { type ClaimMaterial, renderClaims } from '../core/report/render-claims';
import { bearingEvidence, type BearingMaterial, bearingVerdict } from './claim-bearing';
import type { WrittenPart } from './written-parts';

export interface RenderedPart extends Pick<WrittenPart, 'id' | 'title' | 'role'> {
  markdown: string;
  citations: number[];
}

/** What all parts are rendered with; `asidesOf` has the marks of a part's claims that are set aside. */
export interface PartsMaterial extends BearingMaterial {
  sources: ClaimMaterial['sources'];
  asidesOf: (partId: string) => KnownAsides;
}

/** The parts and their claims, numbered through. What cites no source of the index is no claim. */
export function renderParts(
  written: readonly WrittenPart[],
  rendering: PartsMaterial,
): { parts: RenderedPart[]; claims: BriefClaim[] } {
  const { findings, material, sources, numbers, asidesOf } = rendering;
  const idOf = new Map([...numbers].map(([id, n]) => [n, id]));
  const claims: BriefClaim[] = [];
  const parts = written.map(({ id, title, role, draft }): RenderedPart => {
    const asides = asidesOf(id);
    const rendered = renderClaims(draft, {
      findings,
      conflicts: material.conflicts,
      sources,
      numbers,
      labels: numbers,
      asides,
    });
    for (const { claim, findingIds } of rendered.claims) {
      if (claim.citations.length === 0) continue;
      const { text, start, end, citations, verdict, code = 'open', reason, probability = null } = claim;
      const { told, checkedAgainst } = bearingVerdict(
        { verdict, code, reason, probability },
        findingIds,
        material,
      );
      const cited = citations.flatMap((n) => idOf.get(n) ?? []);
      claims.push({
        id: `claim-${claims.length + 1}`,
        partId: id,
        text,
        start,
        end,
        citations,
        verdict: told.verdict,
        code: told.code,
        reason: told.reason,
        probability: told.probability ?? null,
        checkedAgainst,
        evidence: bearingEvidence(cited, findingIds, rendering),
      });
    }
    return {
      id,
      title,
      role,
      markdown: rendered.markdown,
      citations: numbersOf(citedIds(draft.markdown), numbers),
    };
  });
  return { parts, claims };
}
