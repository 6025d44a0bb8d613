import { type BriefStatement, withWhatItLeansOn } from './brief-statements';
import { bestOpenings } from './best-openings';
import { createRepeats } from './repeats';
import { shareWords } from './share-words';
import type { StatementValue } from './statement-values';

export interface StatementChoice {
  statements: readonly BriefStatement[];
  values: ReadonlyMap<string, StatementValue>;
  /** What is told with a statement or not at all, since it disagrees. */
  against: ReadonlyMap<string, readonly BriefStatement[]>;
  /** The words that there are for all of them. */
  room: number;
}

/** Of a subtopic's statements so many say how much it bears on the question. */
const BEARING = 5;
/** What a subtopic that bears nothing on the question has of the words that its material would get it. */
const LEAST_BEARING = 0.4;

/**
 * The statements that there is room for: each subtopic by what it has to say and how it bears on the question, the best of
 * each, then of all what is left room for. All of them where there is room.
 */
export function chooseStatements(choice: StatementChoice): Set<BriefStatement> {
  const { statements, values, room } = choice;
  const total = statements.reduce((sum, { words }) => sum + words, 0);
  if (total <= room) return new Set(statements);
  const ranked = [...statements].sort((a, b) => keepingOf(b, values) - keepingOf(a, values) || a.at - b.at);
  const taking = createTaking(choice);
  const shares = shareWords(claimants(ranked, values), room);
  const openings = bestOpenings(choice, { ranked, shares, costOf: taking.costOf });
  for (const opening of openings) taking.fill([opening], Infinity);
  const left = Math.max(0, room - taking.words());
  for (const [subtopicId, share] of shares) {
    const own = ranked.filter((one) => one.subtopicId === subtopicId);
    const told = [...taking.taken].filter((one) => one.subtopicId === subtopicId);
    const used = told.reduce((sum, { words }) => sum + words, 0);
    taking.fill(own, Math.min(share - used, left, room - taking.words()));
  }
  taking.fill(ranked, room - taking.words());
  return taking.taken;
}

function keepingOf({ id }: BriefStatement, values: StatementChoice['values']): number {
  return values.get(id)?.keeping ?? 0;
}

function claimants(
  ranked: readonly BriefStatement[],
  values: StatementChoice['values'],
): Parameters<typeof shareWords>[0] {
  const ids = [...new Set([...ranked].sort((a, b) => a.at - b.at).map(({ subtopicId }) => subtopicId))];
  return ids.map((id) => {
    const own = ranked.filter(({ subtopicId }) => subtopicId === id);
    const most = own.reduce((sum, { words }) => sum + words, 0);
    const answers = own.map((one) => values.get(one.id)?.answer ?? 0).sort((a, b) => b - a);
    const best = answers.slice(0, BEARING);
    const bearing = best.reduce((sum, answer) => sum + answer, 0) / Math.max(1, best.length);
    return { id, most, weight: most * (LEAST_BEARING + (1 - LEAST_BEARING) * bearing) };
  });
}

interface Taking {
  taken: Set<BriefStatement>;
  words(): number;
  /** The words of what comes with a statement and is not taken yet, its own included. */
  costOf(statement: BriefStatement): number;
  /** Takes of the ranked what fits, best first. */
  fill(ranked: readonly BriefStatement[], words: number): void;
}

function createTaking({ against }: StatementChoice): Taking {
  const taken = new Set<BriefStatement>();
  const missing = (statement: BriefStatement): BriefStatement[] => {
    const wanted = new Set<BriefStatement>();
    const want = (one: BriefStatement): void => {
      for (const part of withWhatItLeansOn(one)) {
        if (wanted.has(part) || taken.has(part)) continue;
        wanted.add(part);
        for (const other of against.get(part.id) ?? []) want(other);
      }
    };
    want(statement);
    return [...wanted];
  };
  const wordsOf = (all: Iterable<BriefStatement>): number =>
    [...all].reduce((sum, one) => sum + one.words, 0);
  const isSaid = createRepeats();
  const costOf = (statement: BriefStatement): number => wordsOf(missing(statement));
  return {
    taken,
    words: () => wordsOf(taken),
    costOf,
    fill(ranked, words) {
      let left = words;
      for (const statement of ranked) {
        if (taken.has(statement)) continue;
        const cost = costOf(statement);
        const others = against.get(statement.id) ?? [];
        if (
          cost > left ||
          isSaid(
            statement,
            [...taken].filter((one) => !others.includes(one)),
          )
        )
          continue;
        for (const one of missing(statement)) taken.add(one);
        left -= cost;
      }
    },
  };
}
