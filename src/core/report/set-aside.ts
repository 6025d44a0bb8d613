import type { ReportSetAside } from '../../contracts/report/report';
import type { SetAsideClaim } from '../../contracts/verification/critique';

export type NumberedAside = Omit<ReportSetAside, 'citations'>;

/** What was set aside of all texts of a report, numbered through. */
export function numberAsides(
  texts: readonly { sectionId: string; setAside: readonly SetAsideClaim[] }[],
): NumberedAside[] {
  return texts
    .flatMap(({ sectionId, setAside }) => setAside.map((claim) => ({ ...claim, sectionId })))
    .map((claim, at) => ({ id: `A${at + 1}`, ...claim }));
}

/** The sources that a list of these claims names: those that they cite, where each was looked for, and what bears it better. */
export function sourcesNamedBy(setAside: readonly Omit<SetAsideClaim, 'action'>[]): string[] {
  return setAside.flatMap(({ sourceIds, evidence, betterSourceId }) => [
    ...sourceIds,
    ...(evidence === null ? [] : [evidence.sourceId]),
    ...(betterSourceId === undefined ? [] : [betterSourceId]),
  ]);
}
