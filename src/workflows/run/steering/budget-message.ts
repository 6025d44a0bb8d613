import type { SetBudget } from '../../../contracts/steering/messages';
import type { BudgetLimits } from '../../../contracts/run/run-input';
import type { BudgetLedger } from '../../../core/budget/budget-ledger';

/** A limit of null is taken away; one that is absent stays. */
export type LimitChanges = { [Name in keyof BudgetLimits]?: BudgetLimits[Name] | null };

export function changedLimits({ maxTokens, maxCostUsd, maxTimeMs }: SetBudget): LimitChanges {
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
  };
}

/** The limits that hold now, and what follows where they are below what was spent. */
export function saidOfBudget({ limits, spent }: BudgetLedger, activeMs: number): string {
  const { maxTokens, maxCostUsd, maxTimeMs } = limits;
  const told = [
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxCostUsd === undefined ? [] : [`$${maxCostUsd}`]),
    ...(maxTimeMs === undefined ? [] : [`${Math.ceil(maxTimeMs / 60_000)} min`]),
  ];
  const tokens = spent.inputTokens + spent.outputTokens;
  const isSpent =
    (maxTokens !== undefined && tokens >= maxTokens) ||
    (maxCostUsd !== undefined && spent.costUsd >= maxCostUsd);
  return [
    told.length === 0 ? 'There is no limit now.' : `The limits are now: ${told.join(', ')}.`,
    ...(isSpent ? ['That is spent already: no model is asked any more, and the rest is quoted.'] : []),
    ...(maxTimeMs !== undefined && activeMs >= maxTimeMs
      ? ['The time is over already: it ends with what it has.']
      : []),
  ].join(' ');
}
