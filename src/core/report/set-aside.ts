import type { ReportSetAside } from '../../contracts/report/report';
import type { SetAsideClaim } from '../../contracts/verification/critique';
import { asideMark } from '../text/citation-marks';
import type { KnownAsides } from './citation-numbers';

export type NumberedAside = Omit<ReportSetAside, 'citations'>;

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

export function asidesOf(
  setAside: readonly Pick<NumberedAside, 'sectionId'>[],
  sectionId: string,
): KnownAsides {
  const own = setAside.filter((claim) => claim.sectionId === sectionId);
  return { marks: new Set(own.map((_claim, place) => asideMark(place))) };
}

/** The sources that a list of these claims names: those that they cite, where each was looked for, and what bears it better. */
export function sourcesNamedBy(setAside: readonly Omit<SetAsideClaim, 'action'>[]): string[] {
  return setAside.flatMap(({ sourceIds, evidence, betterSourceId }) => [
    ...sourceIds,
    ...(evidence === null ? [] : [evidence.sourceId]),
    ...(betterSourceId === undefined ? [] : [betterSourceId]),
  ]);
}
