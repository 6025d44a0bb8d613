import type { BriefStatement } from './brief-statements';
import type { StatementValue } from './statement-values';

/** What is chosen from, and the words that there are for it. */
export interface StatementChoice {
  statements: readonly BriefStatement[];
  values: ReadonlyMap<string, StatementValue>;
  /** What is told with a statement or not at all, since it disagrees. */
  against: ReadonlyMap<string, readonly BriefStatement[]>;
  /** The words that there are for all of them. */
  room: number;
}
