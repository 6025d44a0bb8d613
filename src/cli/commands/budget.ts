import { type Command, InvalidArgumentError } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { UsageError } from '../failures/usage-error';
import { withRun } from '../session/with-run';

interface BudgetOptions {
  maxTokens?: number | null;
  maxCost?: number | null;
  /** Minutes. */
  maxTime?: number | null;
  json?: boolean;
}

const MS_A_MINUTE = 60_000;

/** `budget`: other limits for a run that goes on. */
export function addBudgetCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('budget')
    .summary('raise or lower the limits of a run while it goes on')
    .description(
      'Sets limits of a running run; those that are not named stay, and "none" takes one away. Below what is spent already, no model is asked any more; below the time that it took, the run ends with what it has.',
    )
    .argument('<id>', 'the id of the run')
    .option('--max-tokens <number>', 'the most tokens that models may take, or none', amount)
    .option('--max-cost <usd>', 'the most that models may cost, or none', amount)
    .option('--max-time <minutes>', 'how long the run may take, pauses not counted, or none', amount)
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate budget changes --max-tokens 500000');
  answerWith(command, context, async (id: string, options: BudgetOptions) => {
    const { maxTokens, maxCost: maxCostUsd, maxTime } = options;
    const maxTimeMs = typeof maxTime === 'number' ? Math.ceil(maxTime * MS_A_MINUTE) : maxTime;
    const change = {
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
      ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
    };
    if (Object.keys(change).length === 0)
      throw new UsageError(['Name a limit: --max-tokens, --max-cost or --max-time.']);
    return withRun(context, id, async ({ run }) => {
      const result = await run.setBudget(change);
      if (options.json === true) context.terminal.printJson(result);
      else context.terminal.print(result.said);
      return ExitCode.ok;
    });
  });
}

function amount(text: string): number | null {
  if (text === 'none') return null;
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError('It has to be a number above 0, or none.');
}
