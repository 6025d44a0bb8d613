import { append } from '../core/values/append';
import { isSameAmount } from './same-amount';
import type { StatementToken } from './statement-tokens';

/** A stretch in which two statements differ: what each has between two tokens that both have. */
export interface Difference {
  claimed: StatementToken[];
  cited: StatementToken[];
  place: 'before' | 'within' | 'behind';
  /** Whether the sentence begins another statement in the stretch or right behind it, and the claim does not. */
  isJoint: boolean;
}

/** A claim beside a sentence: how many tokens stand in both in the same order, and what stands between them. */
export interface Alignment {
  matched: number;
  differences: Difference[];
}

/** Aligns by the longest common subsequence; of several the one that matches earliest in the sentence. */
export function alignStatements(
  claim: readonly StatementToken[],
  sentence: readonly StatementToken[],
): Alignment {
  const lengths = commonLengths(claim, sentence);
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const differences: Difference[] = [];
  let [row, column, matched] = [0, 0, 0];
  let open: Difference = { claimed: [], cited: [], place: 'before', isJoint: false };
  const close = (place: Difference['place'], claimed?: StatementToken, cited?: StatementToken): void => {
    const isJoint =
      open.cited.some((token) => token.isJoined) || (cited?.isJoined === true && claimed?.isJoined !== true);
    if (open.claimed.length + open.cited.length > 0) differences.push({ ...open, place, isJoint });
    open = { claimed: [], cited: [], place: 'within', isJoint: false };
  };
  while (row < claim.length && column < sentence.length) {
    const [one, other] = [claim[row], sentence[column]];
    if (one === undefined || other === undefined) break;
    if (isSame(one, other) && at(row, column) === at(row + 1, column + 1) + 1) {
      close(matched === 0 ? 'before' : 'within', one, other);
      matched += 1;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      open.claimed.push(one);
      row += 1;
    } else {
      open.cited.push(other);
      column += 1;
    }
  }
  append(open.claimed, claim.slice(row));
  append(open.cited, sentence.slice(column));
  close('behind');
  return { matched, differences };
}

function commonLengths(claim: readonly StatementToken[], sentence: readonly StatementToken[]): number[][] {
  const lengths = Array.from({ length: claim.length + 1 }, () =>
    new Array<number>(sentence.length + 1).fill(0),
  );
  for (let row = claim.length - 1; row >= 0; row -= 1) {
    for (let column = sentence.length - 1; column >= 0; column -= 1) {
      const [own, below] = [lengths[row], lengths[row + 1]];
      const [one, other] = [claim[row], sentence[column]];
      if (own === undefined || below === undefined || one === undefined || other === undefined) continue;
      own[column] = isSame(one, other)
        ? (below[column + 1] ?? 0) + 1
        : Math.max(below[column] ?? 0, own[column + 1] ?? 0);
    }
  }
  return lengths;
}

/** A number may be rounded, and told in another unit of the same kind. */
function isSame(claimed: StatementToken, cited: StatementToken): boolean {
  if (claimed.kind !== cited.kind) return false;
  if (claimed.number !== null && cited.number !== null) return isSameAmount(claimed.number, cited.number);
  return claimed.stem === cited.stem;
}
