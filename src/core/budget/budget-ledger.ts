import type { BudgetLimits } from '../../contracts/run/run-input';
import type { PassName } from '../../contracts/kinds';
import type { Usage } from '../../contracts/run/run';
import { addUsage, NO_USAGE } from './usage';

/** What a call can cost at most, its repair turn included. */
export interface WorstCase {
  tokens: number;
  costUsd: number;
}

export const FREE_OF_CHARGE: WorstCase = { tokens: 0, costUsd: 0 };

/** Room for the call alone: its repair turn, which has the answer in its question too, is the larger half. */
export function withoutRepair({ tokens, costUsd }: WorstCase): WorstCase {
  return { tokens: Math.ceil(tokens / 2), costUsd: costUsd / 2 };
}

/**
 * What a run has spent, and what it has promised to calls that are on their way. It is plain data, so that it travels
 * over continue-as-new. Spent plus reserved never exceeds a limit, as long as no call costs more than its worst case.
 */
export interface BudgetLedger {
  limits: BudgetLimits;
  spent: Usage;
  byPass: Partial<Record<PassName, Usage>>;
  /** By the name of the call, or of a fund that later calls draw on. */
  reserved: Record<string, WorstCase>;
}

export function openLedger(limits: BudgetLimits): BudgetLedger {
  return { limits, spent: NO_USAGE, byPass: {}, reserved: {} };
}

/**
 * Promises `worstCase` to `name`, taken from `fund` first where one is named. Null where what the fund lacks does not
 * fit into the limits any more; the ledger is unchanged then. Throws where `name` holds a reservation already.
 */
export function reserve(
  ledger: BudgetLedger,
  name: string,
  worstCase: WorstCase,
  fund?: string,
): BudgetLedger | null {
  if (ledger.reserved[name] !== undefined) throw new Error(`"${name}" holds a reservation already.`);
  const funded = (fund === undefined ? undefined : ledger.reserved[fund]) ?? FREE_OF_CHARGE;
  const drawn = smaller(funded, worstCase);
  const left = minus(funded, drawn);
  const reserved = { ...ledger.reserved, [name]: worstCase };
  if (fund !== undefined && ledger.reserved[fund] !== undefined) reserved[fund] = left;
  const next = { ...ledger, reserved };
  return fits(next) || isNothing(minus(worstCase, drawn)) ? next : null;
}

/** Ends the reservation of `name`, and books what the call really used. */
export function settle(ledger: BudgetLedger, name: string, pass: PassName, used: Usage): BudgetLedger {
  const { [name]: held, ...reserved } = ledger.reserved;
  if (held === undefined) throw new Error(`"${name}" holds no reservation.`);
  return book({ ...ledger, reserved }, pass, used);
}

/** Books what was used by a call that goes on, or that none is reserved for. */
export function book(ledger: BudgetLedger, pass: PassName, used: Usage): BudgetLedger {
  return {
    ...ledger,
    spent: addUsage(ledger.spent, used),
    byPass: { ...ledger.byPass, [pass]: addUsage(ledger.byPass[pass] ?? NO_USAGE, used) },
  };
}

/** Ends the reservation of `name` without a call, where it has one. */
export function release(ledger: BudgetLedger, name: string): BudgetLedger {
  const { [name]: _held, ...reserved } = ledger.reserved;
  return { ...ledger, reserved };
}

/** What is spent and promised together. */
export function committed(ledger: BudgetLedger): WorstCase {
  return Object.values(ledger.reserved).reduce(
    (sum, held) => ({ tokens: sum.tokens + held.tokens, costUsd: sum.costUsd + held.costUsd }),
    { tokens: ledger.spent.inputTokens + ledger.spent.outputTokens, costUsd: ledger.spent.costUsd },
  );
}

function fits(ledger: BudgetLedger): boolean {
  const total = committed(ledger);
  return (
    total.tokens <= (ledger.limits.maxTokens ?? Infinity) &&
    total.costUsd <= (ledger.limits.maxCostUsd ?? Infinity)
  );
}

function smaller(a: WorstCase, b: WorstCase): WorstCase {
  return { tokens: Math.min(a.tokens, b.tokens), costUsd: Math.min(a.costUsd, b.costUsd) };
}

function minus(a: WorstCase, b: WorstCase): WorstCase {
  return { tokens: a.tokens - b.tokens, costUsd: a.costUsd - b.costUsd };
}

function isNothing(amount: WorstCase): boolean {
  return amount.tokens <= 0 && amount.costUsd <= 0;
}
