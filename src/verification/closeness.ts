import { isHedge, isReporting } from '../language/word-weight';
import { alignStatements, type Difference } from './align-statements';
import { type Exchange, findExchanges } from './find-exchanges';
import type { StatementToken } from './statement-tokens';

/** From this share of a claim's tokens on, common or exchanged, it says what the sentence says but for what is exchanged. */
export const CLOSE = 0.8;
/** Of fewer tokens no share says anything. */
const FEWEST_TOKENS = 4;
/** What is left out within a sentence may be half of what is kept: else subjects come to stand before others' predicates. */
const MOST_LEFT_OUT = 0.5;
const FEW_LEFT_OUT = 3;

export interface Closeness {
  /** The share of the claim's tokens that the statement has in the same order, or something in their place. */
  share: number;
  matched: number;
  exchanges: Exchange[];
  /** What the claim has and the statement has not, besides who says it. */
  added: StatementToken[];
  /** Of these what stands in the place of nothing. */
  inserted: StatementToken[];
  /** Whether it takes nothing away that changes what is said. */
  isWhole: boolean;
}

/** Pure. `known` are the keys of tokens that only say who says it. */
export function closenessOf(
  claim: readonly StatementToken[],
  statement: readonly StatementToken[],
  known: ReadonlySet<string>,
): Closeness {
  const { matched, differences } = alignStatements(claim, statement);
  const exchanges = differences.flatMap(findExchanges);
  const added = differences.flatMap(({ claimed }) => claimed.filter((token) => !isFrame(token, known)));
  const inserted = differences
    .filter(({ cited }) => cited.length === 0)
    .flatMap(({ claimed }) => claimed.filter((token) => !isFrame(token, known)));
  const total = matched + added.length;
  const leftOut = differences.reduce(
    (sum, { place, cited }) => sum + (place === 'within' ? cited.length : 0),
    0,
  );
  return {
    share:
      total < FEWEST_TOKENS ? 0 : (matched + exchanges.reduce((sum, { tokens }) => sum + tokens, 0)) / total,
    matched,
    exchanges,
    added,
    inserted,
    isWhole:
      !differences.some((one) => losesWeight(one) || leavesJoint(one)) &&
      leftOut <= Math.max(FEW_LEFT_OUT, MOST_LEFT_OUT * matched),
  };
}

/** Who says it, and that they say it, is no part of what is said. */
function isFrame(token: StatementToken, known: ReadonlySet<string>): boolean {
  return token.kind !== 'negator' && (known.has(keyOf(token)) || isReporting(token.stem));
}

/** What may not be lost: a denial anywhere (`…, which was not significant`), and before or within what makes it less sure. */
function losesWeight({ cited, place }: Difference): boolean {
  return cited.some(
    ({ kind, stem }) => kind === 'negator' || (place !== 'behind' && kind === 'word' && isHedge(stem)),
  );
}

/** What stood between the subject of one statement and the predicate of another. */
function leavesJoint({ cited, place, isJoint }: Difference): boolean {
  return place === 'within' && isJoint && cited.length > 0;
}

export function keyOf({ number, stem }: StatementToken): string {
  return number === null ? stem : `${number.value}`;
}
