import type { BriefClaim, BriefEvidence } from '../contracts/brief/brief';
import { citedIds } from '../core/text/citation-marks';
import { numbersOf, type CitationNumbers } from '../core/report/citation-numbers';
import { type ClaimMaterial, renderClaims } from '../core/report/render-claims';
import type { WrittenPart } from './written-parts';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import type { Finding } from '../contracts/report/finding';
import type { ClaimVerdict, Verdict } from '../contracts/verification/claim-verdict';
import { stands } from '../core/settled-text/stands';

/** From the best; what stands is at worst the last of them. */
const FROM_BEST: readonly Verdict[] = [
  'supported',
  'inference',
  'unchecked',
  'partial',
  'unsupported',
  'contradicted',
];

/** A statement that its sources do not bear is set aside; one that only scores low may say the same in other words. */
const NOBODY_SAID: Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell whether the text of its source bears it.',
};

export interface RenderedPart extends Pick<WrittenPart, 'id' | 'title' | 'role'> {
  markdown: string;
  citations: number[];
}

/** What all parts are rendered with. */
export interface PartsMaterial extends BearingMaterial {
  sources: ClaimMaterial['sources'];
}

/** The parts and their claims, numbered through. What cites no source of the index is no claim. */
export function renderParts(
  written: readonly WrittenPart[],
  rendering: PartsMaterial,
): { parts: RenderedPart[]; claims: BriefClaim[] } {
  const { findings, material, sources, numbers } = rendering;
  const idOf = new Map([...numbers].map(([id, n]) => [n, id]));
  const claims: BriefClaim[] = [];
  const parts = written.map(({ id, title, role, draft }): RenderedPart => {
    const rendered = renderClaims(draft, {
      findings,
      conflicts: material.conflicts,
      sources,
      numbers,
      labels: numbers,
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

interface BearingMaterial {
  material: Pick<BriefMaterial, 'places' | 'checks' | 'conflicts'>;
  findings: ReadonlyMap<string, Finding>;
  summaries: ReadonlyMap<string, string>;
  numbers: CitationNumbers;
}

type Told = Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> & Partial<ClaimVerdict>;

/**
 * A claim's verdict: that of the text against the statements that it rests on; where these bear it, the worst of the statements
 * against their sources. It is checked against sources where all of its statements were.
 */
function bearingVerdict(
  told: Told,
  findingIds: readonly string[],
  { checks }: Pick<BriefMaterial, 'checks'>,
): { told: Told; checkedAgainst: 'sources' | 'summaries' } {
  const made = findingIds.flatMap((id) => {
    const check = checks[id];
    if (check === undefined) return [];
    return check.verdict === 'unsupported' ? { ...check, ...NOBODY_SAID } : check;
  });
  const checkedAgainst = made.length > 0 && made.length === findingIds.length ? 'sources' : 'summaries';
  if (!stands(told)) return { told, checkedAgainst };
  const worst = made.reduce<ClaimVerdict | null>(
    (one, other) => (one === null || rank(other) > rank(one) ? other : one),
    null,
  );
  return { told: worst === null || stands(worst) ? told : worst, checkedAgainst };
}

function rank({ verdict }: { verdict: Verdict }): number {
  return FROM_BEST.indexOf(verdict);
}

/**
 * What a claim rests on: its statements where the summaries say them, once for each source of theirs that it cites, then the
 * places in the sources' texts that bear those. A source that the claim cites and none of its statements does is one that
 * contradicts them; its statement is that of the conflict.
 */
function bearingEvidence(
  citedIds: readonly string[],
  findingIds: readonly string[],
  bearing: BearingMaterial,
): BriefEvidence[] {
  const { material, findings, numbers } = bearing;
  const own = findingIds.flatMap((id) => findings.get(id) ?? []);
  const borne = new Set(own.flatMap(({ citations }) => citations));
  const opposing = material.conflicts
    .filter((conflict) => conflict.findingIds.some((id) => findingIds.includes(id)))
    .flatMap((conflict) => conflict.findingIds.flatMap((id) => findings.get(id) ?? []))
    .filter(({ id }) => !findingIds.includes(id));
  const resting = [
    ...own.map((finding) => ({ finding, cites: finding.citations })),
    ...[...new Set(opposing)].map((finding) => ({
      finding,
      cites: finding.citations.filter((id) => !borne.has(id)),
    })),
  ].map(({ finding, cites }) => ({ finding, cited: cites.filter((id) => citedIds.includes(id)) }));
  const told = resting.filter(({ cited }) => cited.length > 0);
  return [
    ...told.flatMap(({ finding, cited }) => cited.flatMap((id) => inSummaries(finding, id, bearing))),
    ...told.flatMap(({ finding }) => {
      const place = material.checks[finding.id]?.evidence ?? null;
      const n = place === null ? undefined : numbers.get(place.sourceId);
      if (place === null || n === undefined) return [];
      const { sourceId: _id, ...quoted } = place;
      return [{ n, subtopicId: null, ...quoted }];
    }),
  ];
}

function inSummaries(
  { id }: Finding,
  sourceId: string,
  { material, summaries, numbers }: BearingMaterial,
): BriefEvidence[] {
  const n = numbers.get(sourceId);
  return (material.places[id] ?? []).flatMap(({ subtopicId, start, end }) => {
    const quote = summaries.get(subtopicId)?.slice(start, end) ?? '';
    return n === undefined || quote === '' ? [] : [{ n, subtopicId, quote, start, end }];
  });
}
