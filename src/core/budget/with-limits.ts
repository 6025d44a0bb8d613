import type { BudgetLimits } from '../../contracts/run/run-input';
import type { BudgetLedger, WorstCase } from './budget-ledger';

/**
 * The ledger under other limits: one of null is taken away, one that is absent stays. What `funds` hold for later calls grows with
 * a limit that is raised, and is at most the share of what is left under it, so that a lowered one leaves room for other calls too.
 */
export function withLimits(
  ledger: BudgetLedger,
  changes: { [Name in keyof BudgetLimits]?: BudgetLimits[Name] | null },
  funds: { names: readonly string[]; share: number },
): BudgetLedger {
  const before = ledger.limits;
  const limits = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, limit]) => limit !== null),
  ) as BudgetLimits; // its own fields, without those that were taken away
  const { inputTokens, outputTokens, costUsd } = ledger.spent;
  const settled = (held: number, was = Infinity, is = Infinity, spent: number): number => {
    const grown = Number.isFinite(was) && Number.isFinite(is) ? held * Math.max(1, is / was) : held;
    return Math.min(grown, funds.share * Math.max(0, is - spent));
  };
  const reserved: Record<string, WorstCase> = { ...ledger.reserved };
  for (const name of funds.names) {
    const fund = reserved[name];
    if (fund === undefined) continue;
    reserved[name] = {
      tokens: settled(fund.tokens, before.maxTokens, limits.maxTokens, inputTokens + outputTokens),
      costUsd: settled(fund.costUsd, before.maxCostUsd, limits.maxCostUsd, costUsd),
    };
  }
  return { ...ledger, limits, reserved };
}
