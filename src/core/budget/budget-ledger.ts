import type { PassName } from '../../contracts/kinds';
import type { Usage } from '../../contracts/run/run';
import type { BudgetLimits } from '../../contracts/run/run-input';
import { addUsage, NO_USAGE } from './usage';

/** What a run may spend and has spent. It is plain data, so that it travels over continue-as-new. */
export interface BudgetLedger {
  limits: BudgetLimits;
  spent: Usage;
  byPass: Partial<Record<PassName, Usage>>;
}

export function openLedger(limits: BudgetLimits): BudgetLedger {
  return { limits, spent: NO_USAGE, byPass: {} };
}

export function book(ledger: BudgetLedger, pass: PassName, used: Usage): BudgetLedger {
  return {
    ...ledger,
    spent: addUsage(ledger.spent, used),
    byPass: { ...ledger.byPass, [pass]: addUsage(ledger.byPass[pass] ?? NO_USAGE, used) },
  };
}

export function isSpent({ limits, spent }: Pick<BudgetLedger, 'limits' | 'spent'>): boolean {
  const { maxTokens = Infinity, maxCostUsd = Infinity } = limits;
  return spent.inputTokens + spent.outputTokens >= maxTokens || spent.costUsd >= maxCostUsd;
}
