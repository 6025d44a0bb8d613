import type { Command } from 'commander';
import type { BudgetChange } from '../../client/steering/steer-run';
import { AskedLimits } from '../../contracts/run/run-input';
import { MINUTES } from '../../core/shapes/units';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { numberOption } from '../request/number-option';
import { withRun } from '../session/with-run';

interface BudgetOptions {
  maxTokens?: string;
  maxCost?: string;
  /** Minutes. */
  maxTime?: string;
  json?: boolean;
}

/** `budget`: other limits for a run that goes on. */
export function addBudgetCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('budget')
    .summary('raise or lower the limits of a run while it goes on')
    .description(
      'Sets limits of a running run; those that are not named stay, and "none" takes one away. Below what is spent already, no model is asked any more; below the time that it took, the run ends with what it has.',
    )
    .argument('<id>', 'the id of the run')
    .option('--max-tokens <number>', 'the most tokens that models may take, or none')
    .option('--max-cost <usd>', 'the most that models may cost, or none')
    .option('--max-time <minutes>', 'how long the run may take, pauses not counted, or none')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate budget changes --max-tokens 500000');
  answerWith(command, context, async (id: string, options: BudgetOptions) => {
    const change = changeOf(options);
    return withRun(context, id, async ({ run }) => {
      const result = await run.setBudget(change);
      if (options.json === true) context.terminal.printJson(result);
      else context.terminal.print(result.said);
      return ExitCode.ok;
    });
  });
}

/** The limits that are named; throws a `UsageError` with everything that is wrong with them. */
function changeOf({ maxTokens, maxCost, maxTime }: BudgetOptions): BudgetChange {
  const { shape } = AskedLimits;
  const named = [
    ['maxTokens', { flag: '--max-tokens', text: maxTokens, schema: shape.maxTokens }],
    ['maxCostUsd', { flag: '--max-cost', text: maxCost, schema: shape.maxCostUsd }],
    ['maxTimeMs', { flag: '--max-time', text: maxTime, schema: shape.maxTimeMs, unit: MINUTES }],
  ] as const;
  const change: BudgetChange = {};
  const problems: string[] = [];
  for (const [limit, { text, ...option }] of named) {
    if (text === undefined) continue;
    const amount = text === 'none' ? null : numberOption({ ...option, text });
    if (amount === null || typeof amount === 'number') change[limit] = amount;
    else problems.push(amount.problem.replace(/\.$/, ', or none.'));
  }
  if (problems.length > 0) throw new UsageError(problems);
  if (Object.keys(change).length === 0)
    throw new UsageError(['Name a limit: --max-tokens, --max-cost or --max-time.']);
  return change;
}
