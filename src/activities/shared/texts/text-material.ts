import type { Conflict, Evidence, Finding } from '../../../contracts/report/finding';
import type { WrittenSentence } from '../../../contracts/report/draft';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { citedIds } from '../../../core/text/citation-marks';
import type { CitableSource } from '../../../steps/material/citable-source';
import type { Passage } from '../../../verification/claim-material';
import { preparePassages } from '../../../verification/prepared-passages';
import { verifyPrepared } from '../../../verification/verify-prepared';

export interface TextMaterial {
  findings: Finding[];
  conflicts: Conflict[];
  sources: CitableSource[];
}

/** What a sentence may rest on: the quotes of the sources that it cites; of what stands around it where it cites nothing. */
export function evidenceFor(
  { text, isClaim, findingIds }: Pick<WrittenSentence, 'text' | 'isClaim' | 'findingIds'>,
  material: TextMaterial,
): Evidence[] {
  const cited = new Set(citedIds(text));
  const bears = ({ evidence, findings }: HeldQuote): boolean =>
    isClaim ? cited.has(evidence.sourceId) : findings.some((id) => findingIds.includes(id));
  return distinct(quotesIn(material).filter(bears));
}

/**
 * What words find of a sentence on its evidence, beside all other quotes; these are read once for a whole text. Titles say what a
 * source is about, as claims do, so their words are no mere attribution.
 */
export function readMaterial(
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

export function findingsOn({ sourceId, start, end }: Evidence, material: TextMaterial): string[] {
  const holding = quotesIn(material).filter(
    ({ evidence }) => evidence.sourceId === sourceId && evidence.start <= start && end <= evidence.end,
  );
  return [...new Set(holding.flatMap(({ findings }) => findings))];
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
