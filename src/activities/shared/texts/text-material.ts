import type { Conflict, Evidence, Finding } from '../../../contracts/report/finding';
import type { WrittenSentence } from '../../../contracts/report/draft';
import { citedIds } from '../../../core/text/citation-marks';
import type { CitableSource } from '../../../steps/material/citable-source';
import type { ClaimMaterial, Passage } from '../../../verification/claim-material';

/** What a text was written from. */
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

/** What words hold a claim against. Titles say what a source is about, as claims do, so their words are no mere attribution. */
export function claimMaterial(evidence: readonly Evidence[], material: TextMaterial): ClaimMaterial {
  const cited = new Set(evidence.map(({ sourceId }) => sourceId));
  return {
    cited: evidence.map(passageOf),
    others: distinct(quotesIn(material).filter((one) => !cited.has(one.evidence.sourceId))).map(passageOf),
    attribution: material.sources
      .filter(({ sourceId }) => cited.has(sourceId))
      .flatMap(({ author = '', publishedAt = '' }) => [author, publishedAt.slice(0, 10)])
      .filter((text) => text !== ''),
  };
}

/** The findings that rest on a stretch of a source. */
export function findingsOn({ sourceId, start, end }: Evidence, material: TextMaterial): string[] {
  const holding = quotesIn(material).filter(
    ({ evidence }) => evidence.sourceId === sourceId && evidence.start <= start && end <= evidence.end,
  );
  return [...new Set(holding.flatMap(({ findings }) => findings))];
}

/** A quote with the findings that rest on it. */
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
  const key = ({ sourceId, start, end }: Evidence): string => `${sourceId}@${start}-${end}`;
  return [...new Map(quotes.map(({ evidence }) => [key(evidence), evidence])).values()];
}

function passageOf({ sourceId, quote, start }: Evidence): Passage {
  return { sourceId, text: quote, start };
}
