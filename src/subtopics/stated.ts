import type { StatementPlace } from '../contracts/brief/brief-material';
import type { MarkedBy } from './cited-statements';

/** What one sentence says, or several that say the same; its citations are ids of sources. */
export interface Stated {
  plain: string;
  /** The first is its own. */
  places: StatementPlace[];
  citations: string[];
  markedBy: MarkedBy;
}
