import { terms } from '../../../language/words';
import { figuresOf, unmatched, type Figure } from '../../../reading/statements/statement-figures';
import type { BriefStatement } from './brief-statements';

/** A statement of whose words so many stand in another one, and no figure besides, adds nothing to that. */
const OVERLAP = 0.7;

/** Tells whether a statement says nothing that none of the others says. */
export function createRepeats(): (statement: BriefStatement, others: Iterable<BriefStatement>) => boolean {
  const known = new Map<string, ReadonlySet<string>>();
  const termsOf = ({ id, finding }: BriefStatement): ReadonlySet<string> => {
    const found = known.get(id) ?? new Set(terms(finding.claim));
    known.set(id, found);
    return found;
  };
  const adds = (statement: BriefStatement, other: BriefStatement): boolean => {
    const [own, others] = [termsOf(statement), termsOf(other)];
    const shared = [...own].filter((term) => others.has(term)).length;
    if (shared <= OVERLAP * own.size) return true;
    return unmatched(figuresIn(statement), figuresIn(other))[0].length > 0;
  };
  return (statement, others) => [...others].some((other) => other !== statement && !adds(statement, other));
}

function figuresIn({ finding: { claim } }: BriefStatement): Figure[] {
  const { results, circumstances, dates } = figuresOf(claim);
  return [...results, ...circumstances, ...dates];
}
