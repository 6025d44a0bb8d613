import { LimitTooSmallError } from '../../client/run-errors';
import type { EstimatedRun } from '../../client/starting/estimate-request';
import type { Warning } from '../../contracts/run/run';
import type { RunEstimate } from '../../contracts/run/estimate';
import { type LimitNames, SETTING_NAMES, toldEstimate } from '../../core/budget/told-estimate';
import { UsageError } from '../failures/usage-error';
import { safeExcerpt } from '../terminal/safe-text';
import type { Terminal } from '../terminal/terminal';

export const LIMIT_FLAGS: LimitNames = { maxTokens: '--max-tokens', maxCostUsd: '--max-cost' };
/** Of a command without these flags. */
export const LIMIT_SETTINGS: LimitNames = {
  maxTokens: '--set budget.maxTokens',
  maxCostUsd: '--set budget.maxCostUsd',
};

/** One line, with the flag that sets a limit where it costs anything. */
export function estimateLine(estimate: RunEstimate, names: LimitNames): string {
  const { costUsd } = estimate;
  const flag = costUsd === 0 ? null : costUsd === null ? names.maxTokens : names.maxCostUsd;
  return `${toldEstimate(estimate)}${flag === null ? '' : `; ${flag} sets a limit`}.`;
}

/** Prints what a run is expected to cost, in place of the run. */
export function printEstimate(
  terminal: Terminal,
  { kind, estimate, asksModels, sources, warnings }: EstimatedRun,
  { names, json }: { names: LimitNames; json: boolean },
): void {
  for (const warning of warnings) terminal.say(warningLine(warning, names));
  if (json) terminal.printJson({ kind, sources, estimate });
  else if (estimate !== null) terminal.print(estimateLine(estimate, names));
  else if (asksModels) terminal.print('Not known: what a search finds has no size yet.');
  else terminal.print('No model: costs nothing.');
}

/** A warning, with the names that the command has for limits. */
export function warningLine({ code, message }: Warning, names: LimitNames): string {
  const told =
    code === 'limit-short'
      ? message
          .replace(SETTING_NAMES.maxTokens, names.maxTokens)
          .replace(SETTING_NAMES.maxCostUsd, names.maxCostUsd)
      : message;
  return `Warning: ${safeExcerpt(told, 300)}`;
}

/** A limit that is too small, with the names that the command has for it. */
export async function withLimitNames<Result>(
  names: LimitNames,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LimitTooSmallError ? new UsageError([error.told(names)]) : error;
  }
}
