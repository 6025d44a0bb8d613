import type { Evidence } from '../../contracts/report/finding';

/** What a cross-check found out about one finding. */
export interface ToldOfFinding {
  findingId: string;
  supporting: Evidence[];
  contradicting?: Evidence[];
  confidence: number;
  /** True where it was to be checked and nothing was said of it. */
  unanswered?: true | undefined;
}
