import type { BriefSetAside } from '../contracts/brief/brief';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import { type CitationNumbers, numbersOf } from '../core/report/citation-numbers';
import { numberAsides, type NumberedAside, sourcesNamedBy } from '../core/report/set-aside';
import type { WrittenPart } from './written-parts';

export interface BriefAsides {
  /** The sources that they name, but for those of claims that are removed. */
  sourceIds: string[];
  /** Of the claims of the text: those that are not removed. */
  listed: NumberedAside[];
  /** All of them; citations are numbered last. */
  all: (numbers: CitationNumbers) => BriefSetAside[];
  /** Those of the text alone. */
  ofText: NumberedAside[];
}

/** Claims of the text first, then what the summaries say and their sources do not; only the first can be removed from the list. */
export function briefAsides(
  written: readonly WrittenPart[],
  material: BriefMaterial | null,
  { isListed }: { isListed: boolean },
): BriefAsides {
  const inText = written.map(({ id, draft }) => ({
    sectionId: id,
    setAside: draft.checked?.setAside ?? [],
  }));
  const inSummaries = (material?.setAside ?? []).map(({ subtopicId, ...claim }) => ({
    sectionId: subtopicId,
    setAside: [claim],
  }));
  const numbered = numberAsides([...inText, ...inSummaries]);
  const textCount = inText.reduce((sum, { setAside }) => sum + setAside.length, 0);
  const ofText = numbered.slice(0, textCount);
  const ofSummaries = numbered.slice(textCount);
  const listed = isListed ? ofText : [];
  return {
    sourceIds: sourcesNamedBy([...listed, ...ofSummaries]),
    listed,
    ofText,
    all: (numbers) => [
      ...ofText.map((claim) => setAsideOf(claim, 'text', numbers)),
      ...ofSummaries.map((claim) => setAsideOf(claim, 'summary', numbers)),
    ],
  };
}

function setAsideOf(
  { sectionId, ...claim }: NumberedAside,
  from: BriefSetAside['from'],
  numbers: CitationNumbers,
): BriefSetAside {
  return { ...claim, partId: sectionId, from, citations: numbersOf(claim.sourceIds, numbers) };
}
