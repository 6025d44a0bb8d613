import type { RunKind } from '../../contracts/kinds';
import type { RunEstimate } from '../../contracts/run/estimate';
import type { BudgetLimits } from '../../contracts/run/run-input';
import { groupedDigits } from '../values/grouped-digits';

/** `About 9 calls, 61,000 tokens in and 9,000 out, about $0.21 with gpt-5-mini`, without a full stop. */
export function toldEstimate({ calls, inputTokens, outputTokens, costUsd, models }: RunEstimate): string {
  const made = Math.max(1, Math.round(calls));
  return `About ${groupedDigits(made)} call${made === 1 ? '' : 's'}, ${rounded(inputTokens)} tokens in and ${rounded(outputTokens)} out, ${toldCost(costUsd, models)}`;
}

function toldCost(costUsd: number | null, models: readonly string[]): string {
  const names = models.join(' and ');
  if (costUsd === null) return `price of ${names} not known`;
  return costUsd === 0 ? `at no cost with ${names}` : `about ${dollars(costUsd)} with ${names}`;
}

/** A limit as the caller names it, such as `--max-tokens`. */
export type LimitNames = Readonly<Record<'maxTokens' | 'maxCostUsd', string>>;

export const SETTING_NAMES: LimitNames = { maxTokens: 'budget.maxTokens', maxCostUsd: 'budget.maxCostUsd' };

export type LimitProblem = { kind: 'too-small' | 'short'; message: string };

/**
 * What is wrong with a limit: too small for the one call that writes the text, or short of all that is expected. Null for a limit
 * that suffices, and where the cost is not known.
 */
export function limitProblem(
  { inputTokens, outputTokens, costUsd, smallestCall }: RunEstimate,
  { maxTokens, maxCostUsd }: BudgetLimits,
  { kind, names = SETTING_NAMES }: { kind: RunKind; names?: LimitNames },
): LimitProblem | null {
  const tokens = inputTokens + outputTokens;
  const inTokens = (amount: number): string => `about ${rounded(amount)}`;
  const problems = [
    problemOf(
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
      : problemOf(
          { given: maxCostUsd, one: smallestCall.costUsd, all: costUsd },
          {
            named: `${names.maxCostUsd} ${maxCostUsd}`,
            one: `about ${dollars(smallestCall.costUsd)}`,
            all: `about ${dollars(costUsd)}`,
            kind,
          },
        ),
  ].filter((problem) => problem !== null);
  return problems.find((problem) => problem.kind === 'too-small') ?? problems[0] ?? null;
}

function problemOf(
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

/** An estimate has two significant digits. */
function rounded(amount: number): string {
  return groupedDigits(Math.round(toTwoDigits(amount)));
}

function dollars(amount: number): string {
  const two = toTwoDigits(amount);
  const decimals = two >= 10 || two === 0 ? 0 : Math.max(2, 1 - Math.floor(Math.log10(two)));
  return `$${two.toFixed(decimals)}`;
}

function toTwoDigits(amount: number): number {
  return amount === 0 ? 0 : Number(amount.toPrecision(2));
}
