import { type BriefStatement, withWhatItLeansOn } from './brief-statements';
import { shareWords } from './share-words';
import { terms } from '../../../language/words';
import { figuresOf, unmatched, type Figure } from '../../../reading/statements/statement-figures';
import type { StatementValue } from './statement-values';

/** Of a subtopic's statements so many say how much it bears on the question. */
const BEARING = 5;
/** What a subtopic that bears nothing on the question has of the words that its material would get it. */
const LEAST_BEARING = 0.4;
/** So much of the room is filled with whatever there is; the rest with the better half alone. */
const ENOUGH = 0.95;

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
  const better = betterHalf(ranked, shares);
  for (const opening of bestOpenings(choice, { ranked, better, shares, costOf: taking.costOf }))
    taking.fill([opening], Infinity);
  fillShares(taking, better, { shares, room });
  taking.fill(better, room - taking.words());
  // What is weaker is told where there is room for much of it, and not to fill the last gap.
  const enough = ENOUGH * room;
  fillShares(taking, ranked, { shares, room: enough });
  taking.fill(ranked, enough - taking.words());
  return taking.taken;
}

function fillShares(
  taking: Taking,
  ranked: readonly BriefStatement[],
  { shares, room }: { shares: ReadonlyMap<string, number>; room: number },
): void {
  for (const [subtopicId, share] of shares) {
    const told = [...taking.taken].filter((one) => one.subtopicId === subtopicId);
    const used = told.reduce((sum, { words }) => sum + words, 0);
    const own = ranked.filter((one) => one.subtopicId === subtopicId);
    taking.fill(own, Math.min(share - used, room - taking.words()));
  }
}

/** The better half of each subtopic's statements, best first. */
function betterHalf(
  ranked: readonly BriefStatement[],
  shares: ReadonlyMap<string, number>,
): BriefStatement[] {
  const better = new Set(
    [...shares.keys()].flatMap((id) => {
      const own = ranked.filter(({ subtopicId }) => subtopicId === id);
      return own.slice(0, Math.ceil(own.length / 2));
    }),
  );
  return ranked.filter((one) => better.has(one));
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
  costOf: (statement: BriefStatement) => number;
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

/** A statement of whose words so many stand in another one, and no figure besides, adds nothing to that. */
const OVERLAP = 0.7;

/** Tells whether a statement says nothing that none of the others says. */
function createRepeats(): (statement: BriefStatement, others: Iterable<BriefStatement>) => boolean {
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

interface Options {
  /** Best first. */
  ranked: readonly BriefStatement[];
  /** Those of them that open a subtopic well. */
  better: readonly BriefStatement[];
  /** The words of each subtopic. */
  shares: ReadonlyMap<string, number>;
  costOf: (statement: BriefStatement) => number;
}

/** An opening may take so much more than its subtopic's share, where others leave it that. */
const BEYOND_SHARE = 2;

/**
 * One statement for each subtopic, the best one where there is room; where there is not, those are exchanged for shorter ones
 * by which the least is lost for the words that are won.
 */
function bestOpenings(
  { values, room }: StatementChoice,
  { ranked, better, shares, costOf }: Options,
): BriefStatement[] {
  const worthOf = ({ id }: BriefStatement): number => values.get(id)?.keeping ?? 0;
  const openings = [...shares].flatMap(([subtopicId, share]) => {
    const own = better.filter((one) => one.subtopicId === subtopicId);
    const fitting = own.find((one) => costOf(one) <= BEYOND_SHARE * share);
    const shortest = own.reduce<BriefStatement | undefined>(
      (best, one) => (best === undefined || costOf(one) < costOf(best) ? one : best),
      undefined,
    );
    return fitting ?? shortest ?? [];
  });
  for (;;) {
    const total = openings.reduce((sum, one) => sum + costOf(one), 0);
    if (total <= room) return openings;
    const exchanges = openings.flatMap((old, at) =>
      ranked
        .filter((one) => one.subtopicId === old.subtopicId && costOf(one) < costOf(old))
        .map((one) => ({ at, one, loss: (worthOf(old) - worthOf(one)) / (costOf(old) - costOf(one)) })),
    );
    const [least] = exchanges.sort((a, b) => a.loss - b.loss);
    if (least === undefined) return openings;
    openings[least.at] = least.one;
  }
}

/** What is chosen from, and the words that there are for it. */
interface StatementChoice {
  statements: readonly BriefStatement[];
  values: ReadonlyMap<string, StatementValue>;
  /** What is told with a statement or not at all, since it disagrees. */
  against: ReadonlyMap<string, readonly BriefStatement[]>;
  /** The words that there are for all of them. */
  room: number;
}
