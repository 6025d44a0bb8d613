import { terms } from '../../language/words';

/** Where a statement is told: the sentence that has most of it, and how much of it is told there, 0–1. */
export interface Telling {
  /** A place in the list of sentences; −1 where none shares a word with it. */
  sentence: number;
  degree: number;
}

/** A sentence that has less of a statement than the first tells something else; one that has the second tells all of it. */
const SOMETHING_ELSE = 0.35;
const ALL_OF_IT = 0.75;

/** Finds statements of a material in the sentences of a text, in the same or in other words. */
export interface StatementFinder {
  find(statement: string): Telling;
}

/**
 * `weightOf` says how much a word tells of what a statement is about: how rare it is in the material. A statement is told as
 * far as one sentence has its words; what is said in passing all over the text is not told.
 */
export function createStatementFinder(
  sentences: readonly { stems: ReadonlySet<string> }[],
  weightOf: (stem: string) => number,
): StatementFinder {
  const holders = new Map<string, number[]>();
  for (const [at, { stems }] of sentences.entries())
    for (const stem of stems) {
      const held = holders.get(stem);
      if (held === undefined) holders.set(stem, [at]);
      else held.push(at);
    }
  return {
    find(statement) {
      const own = new Set(terms(statement));
      const shared = new Map<number, number>();
      let whole = 0;
      for (const stem of own) {
        const weight = weightOf(stem);
        whole += weight;
        for (const at of holders.get(stem) ?? []) shared.set(at, (shared.get(at) ?? 0) + weight);
      }
      let best: Telling = { sentence: -1, degree: 0 };
      for (const [sentence, weight] of shared) {
        const degree = weight / whole;
        if (degree > best.degree) best = { sentence, degree };
      }
      const told = (best.degree - SOMETHING_ELSE) / (ALL_OF_IT - SOMETHING_ELSE);
      return { sentence: best.sentence, degree: Math.min(1, Math.max(0, told)) };
    },
  };
}

/** How rare each word is among the statements: log(1 + n / n that have it). A word that none has counts as if one had it. */
export function weightsIn(statements: readonly string[]): (stem: string) => number {
  const holding = new Map<string, number>();
  for (const statement of statements)
    for (const stem of new Set(terms(statement))) holding.set(stem, (holding.get(stem) ?? 0) + 1);
  return (stem) => Math.log(1 + statements.length / (holding.get(stem) ?? 1));
}
