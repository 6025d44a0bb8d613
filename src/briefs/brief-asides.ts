import type { BriefSetAside } from '../contracts/brief/brief';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import { type CitationNumbers, type KnownAsides, numbersOf } from '../core/report/citation-numbers';
import { asidesOf, numberAsides, sourcesNamedBy } from '../core/report/set-aside';
import type { WrittenPart } from './written-parts';

export interface BriefAsides {
  marksOf: (partId: string) => KnownAsides;
  /** The sources that they name, but for those of claims that are removed. */
  sourceIds: string[];
  /** Of the claims of the text: those that are not removed. */
  listed: Numbered[];
  /** All of them; citations are numbered last. */
  all: (numbers: CitationNumbers) => BriefSetAside[];
  /** Those of the text alone. */
  ofText: Numbered[];
}

type Numbered = ReturnType<typeof numberAsides>[number]['claim'];

/** Claims of the text first, then what the summaries say and their sources do not; only the first can be removed from the list. */
export function briefAsides(
  written: readonly WrittenPart[],
  material: BriefMaterial | null,
  isListed: (isMarked: boolean) => boolean,
): BriefAsides {
  const inText = written.map(({ id, draft }) => ({
    sectionId: id,
    setAside: draft.checked?.setAside ?? [],
    text: draft.markdown,
  }));
  const inSummaries = (material?.setAside ?? []).map(({ subtopicId, ...claim }) => ({
    sectionId: subtopicId,
    setAside: [claim],
    text: '',
  }));
  const numbered = numberAsides([...inText, ...inSummaries]);
  const textCount = inText.reduce((sum, { setAside }) => sum + setAside.length, 0);
  const ofText = numbered.slice(0, textCount);
  const ofSummaries = numbered.slice(textCount).map(({ claim }) => claim);
  const listed = ofText.flatMap(({ claim, isMarked }) => (isListed(isMarked) ? [claim] : []));
  const textClaims = ofText.map(({ claim }) => claim);
  return {
    marksOf: (partId) => asidesOf(textClaims, partId),
    sourceIds: sourcesNamedBy([...listed, ...ofSummaries]),
    listed,
    ofText: textClaims,
    all: (numbers) => [
      ...textClaims.map((claim) => setAsideOf(claim, 'text', numbers)),
      ...ofSummaries.map((claim) => setAsideOf(claim, 'summary', numbers)),
    ],
  };
}

function setAsideOf(
  { sectionId, ...claim }: Numbered,
  from: BriefSetAside['from'],
  numbers: CitationNumbers,
): BriefSetAside {
  return { ...claim, partId: sectionId, from, citations: numbersOf(claim.sourceIds, numbers) };
}
