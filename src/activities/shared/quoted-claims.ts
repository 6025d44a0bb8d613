import type { Conflict, Evidence, Finding } from '../../contracts/report/finding';
import type { DraftClaim } from '../../contracts/report/draft';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { quotedVerdict } from '../../core/settled-text/quoted-verdict';
import { citedIds, replaceMarks } from '../../core/text/citation-marks';
import type { CitableSource } from '../../steps/material/citable-source';
import type { Passage } from '../../verification/claim-material';
import { preparePassages } from '../../verification/prepared-passages';
import { verifyPrepared } from '../../verification/verify-prepared';

type AuditedClaim = DraftClaim & { verdict: ClaimVerdict };

export interface TextMaterial {
  findings: Finding[];
  conflicts: Conflict[];
  sources: CitableSource[];
}

/** Claims that quote, with their verdicts by words on the quotes of the sources that they cite. */
export function quotedClaims(claims: readonly DraftClaim[], material: TextMaterial): AuditedClaim[] {
  const byWords = readMaterial(material);
  const quotes = distinct(quotesIn(material));
  return claims.map((claim) => {
    const cited = new Set(citedIds(claim.text));
    const evidence = quotes.filter(({ sourceId }) => cited.has(sourceId));
    const plain = replaceMarks(claim.text, () => '');
    const verdict = quotedVerdict(claim.text, evidence) ?? byWords(plain, evidence);
    return { ...claim, verdict };
  });
}

/**
 * What words find of a sentence on its evidence, beside all other quotes; these are read once for a whole text. Titles say what a
 * source is about, as claims do, so their words are no mere attribution.
 */
function readMaterial(
  material: TextMaterial,
): (plain: string, evidence: readonly Evidence[]) => ClaimVerdict {
  const quotes = distinct(quotesIn(material));
  const places = new Map(quotes.map((quote, at) => [placeKey(quote), at]));
  const prepared = preparePassages(quotes.map(passageOf));
  return (plain, evidence) => {
    const cited = evidence.flatMap((quote) => places.get(placeKey(quote)) ?? []);
    const sourceIds = new Set(evidence.map(({ sourceId }) => sourceId));
    const attribution = material.sources
      .filter(({ sourceId }) => sourceIds.has(sourceId))
      .flatMap(({ author = '', publishedAt = '' }) => [author, publishedAt.slice(0, 10)])
      .filter((text) => text !== '');
    return verifyPrepared(plain, prepared, { cited, attribution });
  };
}

interface HeldQuote {
  evidence: Evidence;
  findings: string[];
}

function quotesIn({ findings, conflicts }: TextMaterial): HeldQuote[] {
  const known = new Set(findings.map(({ id }) => id));
  return [
    ...findings.flatMap(({ id, evidence }) => evidence.map((one) => ({ evidence: one, findings: [id] }))),
    ...conflicts.flatMap(({ findingIds, viewpoints }) =>
      viewpoints.flatMap(({ evidence }) =>
        evidence.map((one) => ({ evidence: one, findings: findingIds.filter((id) => known.has(id)) })),
      ),
    ),
  ];
}

function distinct(quotes: readonly HeldQuote[]): Evidence[] {
  return [...new Map(quotes.map(({ evidence }) => [placeKey(evidence), evidence])).values()];
}

function placeKey({ sourceId, start, end }: Evidence): string {
  return `${sourceId}@${start}-${end}`;
}

function passageOf({ sourceId, quote, start }: Evidence): Passage {
  return { sourceId, text: quote, start };
}
