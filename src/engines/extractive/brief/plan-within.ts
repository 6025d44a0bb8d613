import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { PlanBriefInput } from '../../../steps/plan-brief/contract';

/** A plan with what its text would have. */
export interface DraftedPlan {
  parts: BriefPart[];
  words: number;
  /** The ids of the sources that it cites: those that are listed. */
  cited: ReadonlySet<string>;
}

/** The words that there are for the parts and the list of sources together. */
export interface Room {
  /** Null for as many as it takes. */
  wanted: number | null;
  most: number;
  /** What a source's line in the list has, by its id. */
  lines: Readonly<Record<string, number>>;
}

export function roomOf({ words, maxWords, list }: PlanBriefInput): Room {
  return { wanted: list?.words ?? words, most: list?.maxWords ?? maxWords, lines: list?.lines ?? {} };
}

const MOST_TRIES = 8;
const CLOSE = 0.01;

/**
 * The plan that comes nearest to the words there are. How many the list of sources takes, and how many the summary and the conclusions
 * leave over, is known only of a plan: each one says how much room the next one has.
 */
export function planWithin(
  { wanted, most, lines }: Room,
  first: number,
  planWith: (room: number) => DraftedPlan,
): DraftedPlan {
  const target = wanted ?? most;
  const offBy = (plan: DraftedPlan): number =>
    [...plan.cited].reduce((sum, id) => sum + (lines[id] ?? 0), plan.words) - target;
  let room = first;
  let best = planWith(room);
  for (let tried = 1, last = best; tried < MOST_TRIES && Math.abs(offBy(last)) > CLOSE * target; tried += 1) {
    const next = Math.max(1, room - offBy(last));
    last = planWith(next);
    if (Math.abs(offBy(last)) < Math.abs(offBy(best))) best = last;
    // More room that changes nothing: all is told.
    if (next > room && offBy(last) < 0 && last.words === best.words && last !== best) break;
    room = next;
  }
  return best;
}
