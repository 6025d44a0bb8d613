import type { Direction } from '../assertions/assertion';
import type { ConflictKind } from '../contracts/finding';

/** How two sentences stand to each other; `different` is also the answer where too little is known. */
export type Relation = 'agree' | 'opposed' | 'number-differs' | 'condition-differs' | 'different';

export interface Comparison {
  relation: Relation;
  /** `vitamin D and bone mineral density`; empty where the two are not about the same thing. */
  topic: string;
  /** In plain words what agrees or differs, or what keeps the two from being about the same thing. */
  reason: string;
  /** The sorted stems of what both speak of, so that conflicts on one topic find each other. */
  about: readonly string[];
  /** What each of the two says of it. */
  sides: readonly [Side, Side];
}

export interface Side {
  direction: Direction | null;
  /** The number in question, where numbers differ. */
  value: number | null;
  unit: string;
  /** Under what it is said to hold, where conditions differ: `regardless of age`. */
  condition?: string;
}

/** Which relations are contradictions, and of what kind. */
export const CONFLICT_KIND: Readonly<Partial<Record<Relation, ConflictKind>>> = {
  opposed: 'direction',
  'number-differs': 'number',
  'condition-differs': 'condition',
};

export function isClash({ relation }: Comparison): boolean {
  return CONFLICT_KIND[relation] !== undefined;
}

const NOTHING: Side = { direction: null, value: null, unit: '' };

export function notComparable(reason: string): Comparison {
  return { relation: 'different', topic: '', reason, about: [], sides: [NOTHING, NOTHING] };
}
