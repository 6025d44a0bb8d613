import { reserve } from '../../core/budget/budget-ledger';
import { CALL_SIZES } from '../../core/budget/call-estimates';
import { worstCase } from '../run/call-costs';
import { isAtItsBeginning } from '../run/carried-run';
import type { BriefRun } from './brief-run';
import { EXPECTED_SUBTOPICS, WRITING_FUND, WRITING_SHARE } from './in-histories';

/** Sets aside what planning, writing and judging need, or of a small budget a good part. */
export function reserveWriting(run: BriefRun): void {
  const { carried, input } = run;
  if (!isAtItsBeginning(carried)) return;
  const parts = EXPECTED_SUBTOPICS + 2;
  const part = worstCase(run, 'write', CALL_SIZES.writeSection());
  const { maxTokens = Infinity, maxCostUsd = Infinity } = input.budget;
  const fund = {
    tokens: Math.min(parts * part.tokens, WRITING_SHARE * maxTokens),
    costUsd: Math.min(parts * part.costUsd, WRITING_SHARE * maxCostUsd),
  };
  carried.ledger = reserve(carried.ledger, WRITING_FUND, fund) ?? carried.ledger;
}
