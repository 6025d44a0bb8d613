import { groupedDigits } from '../lib/strings';
import type { PassName, RunKind, Usage } from './run';
import type {
  BudgetLimits,
  ModelChoice,
  ModelChoices,
  ModelPrice,
  PriceTable,
  RunEstimate,
} from './run-input';

/** Limits and usage of a run. Plain data, so that it survives continue-as-new. */
export interface BudgetState {
  limits: BudgetLimits;
  spent: Usage;
  byPass: Partial<Record<PassName, Usage>>;
}

export function openBudget(limits: BudgetLimits): BudgetState {
  return { limits, spent: NO_USAGE, byPass: {} };
}

export function recordUsage(ledger: BudgetState, pass: PassName, used: Usage): BudgetState {
  return {
    ...ledger,
    spent: addUsage(ledger.spent, used),
    byPass: { ...ledger.byPass, [pass]: addUsage(ledger.byPass[pass] ?? NO_USAGE, used) },
  };
}

export function isOverBudget({ limits, spent }: Pick<BudgetState, 'limits' | 'spent'>): boolean {
  const { maxTokens = Infinity, maxCostUsd = Infinity } = limits;
  return spent.inputTokens + spent.outputTokens >= maxTokens || spent.costUsd >= maxCostUsd;
}

export const NO_USAGE: Usage = { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    cachedCalls: a.cachedCalls + b.cachedCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

export function subtractUsage(now: Usage, before: Usage): Usage {
  return {
    calls: now.calls - before.calls,
    cachedCalls: now.cachedCalls - before.cachedCalls,
    inputTokens: now.inputTokens - before.inputTokens,
    outputTokens: now.outputTokens - before.outputTokens,
    // Rounding may make the difference of two sums slightly negative.
    costUsd: Math.max(0, now.costUsd - before.costUsd),
  };
}

export function priceOf(prices: PriceTable, model: string): ModelPrice | null {
  return (Object.hasOwn(prices, model) ? prices[model] : undefined) ?? null;
}

/** 0 if the price is unknown. */
export function costUsd(
  price: ModelPrice | null,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): number {
  return price === null ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

/** Average of English text (document 002). */
const CHARS_PER_TOKEN = 4;
/** Margin for text with more tokens than average (decision 9). */
const INPUT_MARGIN = 1.1;
/** Maximum share of the context window for the prompt. The rest is for the answer and the repair turn (document 002). */
export const WINDOW_SHARE = 0.75;
export const DEFAULT_CONTEXT_TOKENS = 128_000;

/** Longest answer of each step, in tokens; per source for steps that take several sources. */
export const MAX_OUTPUT_TOKENS = {
  summariseSource: 400,
  outline: 8_000,
  mergeOutlines: 4_000,
  scoreSource: 60,
  extractFindings: 8_000,
  crossCheck: 8_000,
  writeSection: 4_000,
  writeSummary: 2_000,
  rewriteQuestion: 300,
  planSearch: 600,
  writeText: 16_000,
  auditText: 16_000,
  mendText: 6_000,
  judge: 6_000,
} as const;

/** English text (document 000). */
const TOKENS_PER_WORD = 1.3;
/** Citations and the model's reasoning need as much room again. */
const WRITING_MARGIN = 2;
const MIN_WRITING_TOKENS = 800;

export function maxWritingTokens(words: number, most: number): number {
  return Math.min(most, Math.max(MIN_WRITING_TOKENS, Math.ceil(words * TOKENS_PER_WORD * WRITING_MARGIN)));
}

/** Citations and tables have more tokens than the words alone. */
const MARKUP_FACTOR = 1.6;

export function maxTextTokens(words: number): number {
  return maxWritingTokens(words * MARKUP_FACTOR, MAX_OUTPUT_TOKENS.writeText);
}

export function maxAuditTokens(statements: number): number {
  return Math.min(MAX_OUTPUT_TOKENS.auditText, 1_000 + 130 * statements);
}

/** The prompt's own text; next, the title and delimiters of each source. */
const TEMPLATE_CHARS = 5_000;
export const CHARS_AROUND_SOURCE = 400;
const SUMMARY_CHARS = 1_000 + CHARS_AROUND_SOURCE;
export const PLAN_CHARS = 12_000;
export const FINDINGS_CHARS = 40_000;

export const MAX_HISTORY_CHARS = 12_000;
export const MAX_CRITIQUE_CHARS = 12_000;
/** Maximum of each of three lists: queries, findings, and missing content. */
export const MAX_LIST_CHARS = 4_000;

/** Longest answer that compresses passages to fewer than `maxChars` characters each. Figures have more tokens than words. */
export function maxCompressedTokens(passages: number, maxChars: number): number {
  return passages * (Math.ceil(maxChars / 2) + 30);
}

/** Characters that a prompt may have besides its template, to take at most `share` of the window. */
export function charsInWindow(contextTokens: number, share = WINDOW_SHARE): number {
  const tokens = contextTokens * share - estimateTokens(TEMPLATE_CHARS);
  return Math.max(0, Math.floor((tokens * CHARS_PER_TOKEN) / INPUT_MARGIN));
}

/** At least 1. `besides` is the number of characters that the prompt has otherwise. */
export function summariesPerCall(contextTokens: number, besides = 0): number {
  return Math.max(1, Math.floor((charsInWindow(contextTokens) - besides) / SUMMARY_CHARS));
}

/** Approximate; for English text never too low. */
export function estimateTokens(chars: number): number {
  return Math.ceil((chars / CHARS_PER_TOKEN) * INPUT_MARGIN);
}

export type ModelRole = 'fast' | 'strong' | 'critic';

/** Document 002 has one model for pass 1 and one for passes 2 to 4. Without one, the role decides. */
export function modelOfPass(models: ModelChoices, role: ModelRole, pass: number): ModelChoice {
  if (role === 'fast' && pass === 1) return models.overview ?? models.fast;
  if (role === 'strong' && pass >= 2) return models.deepDive ?? models.strong;
  return models[role];
}

export function modelNames(models: ModelChoices): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, { name }]) => [role, name]));
}

/** `About 9 calls, 61,000 tokens in and 9,000 out, about $0.21 with gpt-5-mini`, without a full stop. */
export function formatEstimate({ calls, inputTokens, outputTokens, costUsd, models }: RunEstimate): string {
  const made = Math.max(1, Math.round(calls));
  return `About ${groupedDigits(made)} call${made === 1 ? '' : 's'}, ${formatAmount(inputTokens)} tokens in and ${formatAmount(outputTokens)} out, ${formatCost(costUsd, models)}`;
}

function formatCost(costUsd: number | null, models: readonly string[]): string {
  const names = models.join(' and ');
  if (costUsd === null) return `price of ${names} not known`;
  return costUsd === 0 ? `at no cost with ${names}` : `about ${formatDollars(costUsd)} with ${names}`;
}

/** Names for messages to the caller, such as `--max-tokens`. */
export type LimitNames = Readonly<Record<'maxTokens' | 'maxCostUsd', string>>;

export const SETTING_NAMES: LimitNames = { maxTokens: 'budget.maxTokens', maxCostUsd: 'budget.maxCostUsd' };

export type LimitProblem = { kind: 'too-small' | 'short'; message: string };

/**
 * `too-small`: below the one call that writes the text. `short`: below the expected total. Null if the limit suffices, or the
 * cost is unknown.
 */
export function limitProblem(
  { inputTokens, outputTokens, costUsd, smallestCall }: RunEstimate,
  { maxTokens, maxCostUsd }: BudgetLimits,
  { kind, names = SETTING_NAMES }: { kind: RunKind; names?: LimitNames },
): LimitProblem | null {
  const tokens = inputTokens + outputTokens;
  const inTokens = (amount: number): string => `about ${formatAmount(amount)}`;
  const problems = [
    checkLimit(
      { given: maxTokens, one: smallestCall.tokens, all: tokens },
      {
        named: `${names.maxTokens} ${maxTokens}`,
        one: `${inTokens(smallestCall.tokens)} tokens`,
        all: inTokens(tokens),
        kind,
      },
    ),
    costUsd === null || smallestCall.costUsd === null
      ? null
      : checkLimit(
          { given: maxCostUsd, one: smallestCall.costUsd, all: costUsd },
          {
            named: `${names.maxCostUsd} ${maxCostUsd}`,
            one: `about ${formatDollars(smallestCall.costUsd)}`,
            all: `about ${formatDollars(costUsd)}`,
            kind,
          },
        ),
  ].filter((problem) => problem !== null);
  return problems.find((problem) => problem.kind === 'too-small') ?? problems[0] ?? null;
}

function checkLimit(
  { given, one, all }: { given: number | undefined; one: number; all: number },
  told: { named: string; one: string; all: string; kind: RunKind },
): LimitProblem | null {
  if (given === undefined || given >= all) return null;
  if (given < one)
    return {
      kind: 'too-small',
      message: `${told.named} is too small: the smallest call that writes this ${told.kind} needs ${told.one}; ${told.all} are expected in all. Nothing was started.`,
    };
  return {
    kind: 'short',
    message: `${told.named} may not suffice: ${told.all} are expected in all. Once it is used up, the rest is quoted from the sources.`,
  };
}

/** Estimates have 2 significant digits. */
function formatAmount(amount: number): string {
  return groupedDigits(Math.round(roundToTwoDigits(amount)));
}

function formatDollars(amount: number): string {
  const two = roundToTwoDigits(amount);
  const decimals = two >= 10 || two === 0 ? 0 : Math.max(2, 1 - Math.floor(Math.log10(two)));
  return `$${two.toFixed(decimals)}`;
}

function roundToTwoDigits(amount: number): number {
  return amount === 0 ? 0 : Number(amount.toPrecision(2));
}
