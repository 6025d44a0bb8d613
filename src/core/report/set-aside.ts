import type { ReportSetAside } from '../../contracts/report/report';
import type { SetAsideClaim } from '../../contracts/verification/critique';
import { asideMark, citationMark } from '../text/citation-marks';
import { inert, quotation } from '../writing/quotation';
import { shorten } from '../writing/shorten';
import { capitalised } from '../writing/within-sentence';
import type { AsideTexts } from './citation-numbers';

const QUOTE_WORDS = 60;

type NumberedAside = Omit<ReportSetAside, 'citations'>;

/** What was set aside of all texts of a report, numbered through, and whether its place is marked in its text. */
export function numberAsides(
  texts: readonly { sectionId: string; setAside: readonly SetAsideClaim[]; text: string }[],
): { claim: NumberedAside; isMarked: boolean }[] {
  return texts
    .flatMap(({ sectionId, setAside, text }) =>
      setAside.map((claim, place) => ({ claim, sectionId, isMarked: text.includes(asideMark(place)) })),
    )
    .map(({ claim, sectionId, isMarked }, at) => ({
      claim: { id: `A${at + 1}`, ...claim, sectionId },
      isMarked,
    }));
}

/** How the marks of one text read. */
export function asideTexts(
  setAside: readonly Pick<NumberedAside, 'id' | 'sectionId' | 'verdict'>[],
  sectionId: string,
): AsideTexts {
  const own = setAside.filter((claim) => claim.sectionId === sectionId);
  return new Map(
    own.map(({ id, verdict }, place) => [asideMark(place), `(claim ${id} stood here: ${verdict})`]),
  );
}

/** A claim in the list of those that are set aside, with citation marks. */
export function asideLine({
  id,
  text,
  sourceIds,
  verdict,
  reason,
  evidence,
  betterSourceId,
  action,
}: NumberedAside): string {
  const cites = sourceIds.length === 0 ? '' : ` ${citationMark(sourceIds)}`;
  const parts = [
    `**${id}**, ${verdict}: ${quotation(text)}${cites}.`,
    capitalised(inert(reason)).replace(/\.?$/, '.'),
    evidence === null
      ? ''
      : `Place looked at: ${quotation(shorten(evidence.quote, QUOTE_WORDS))} ${citationMark([evidence.sourceId])}.`,
    betterSourceId === undefined ? '' : `What bears it better: ${citationMark([betterSourceId])}.`,
    action === 'replaced' ? 'The words of its finding stand in its place.' : 'It is left out.',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
