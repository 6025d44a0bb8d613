import type { DocumentClaim, DocumentEvidence } from '../document';

type Direction = NonNullable<DocumentEvidence['tells']>;

/** What claims can be narrowed to by: `effect` is of any direction, `unknown` where none of a claim's quotes tells of one. */
export const REPORTING = ['effect', 'more', 'less', 'better', 'worse', 'some', 'none', 'unknown'] as const;
export type Reporting = (typeof REPORTING)[number];

export function reportingOf({ evidence }: DocumentClaim): Set<Reporting> {
  const told = new Set<Reporting>(evidence.flatMap(({ tells }) => tells ?? []));
  if (told.size === 0) return new Set(['unknown']);
  if (told.size > 1 || !told.has('none')) told.add('effect');
  told.delete('some');
  return told;
}

/** The one result that a claim's quotes tell of; null where they tell of none, or of several. */
export function directionOf({ evidence }: DocumentClaim): Direction | null {
  const [first, ...others] = new Set(evidence.flatMap(({ tells }) => tells ?? []));
  return first === undefined || others.length > 0 ? null : first;
}
