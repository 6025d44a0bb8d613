import type { BriefSetAside } from '../contracts/brief/brief';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import { type AsideTexts, type CitationNumbers, numbersOf } from '../core/report/citation-numbers';
import { asideLine, asideTexts, numberAsides } from '../core/report/set-aside';
import { inert } from '../core/writing/quotation';
import type { WrittenPart } from './written-parts';

/** What does not stand, of the text and of the summaries, numbered through. */
export interface BriefAsides {
  /** How the marks of a part read. */
  textsOf: (partId: string) => AsideTexts;
  /** An item of the list each, with citation marks. */
  lines: string[];
  /** Of the claims of the text: those that are listed. */
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
  const titles = new Map((material?.subtopics ?? []).map(({ id, title }) => [id, title]));
  return {
    textsOf: (partId) => asideTexts(textClaims, partId),
    lines: [
      ...listed.map(asideLine),
      ...ofSummaries.map((claim) => {
        const title = titles.get(claim.sectionId) ?? claim.sectionId;
        return `${asideLine(claim)} The summary of “${inert(title)}” says it.`;
      }),
    ],
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
