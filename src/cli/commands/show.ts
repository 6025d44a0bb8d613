import { type Command, InvalidArgumentError, Option } from 'commander';
import { RunKindError, RunWithoutReportError } from '../../client/run-errors';
import type { PassWithResult } from '../../client/pass-results/pass-results';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import type { Report } from '../../contracts/report/report';
import { listClaims } from '../results/claims-listing';
import { claimsText } from '../results/claims-text';
import { showAnswer } from '../results/show-answer';
import { passWithResult, showPass } from '../results/show-pass';
import { withRun } from '../session/with-run';
import { runArgument } from '../results/run-name';

interface ShowOptions {
  format: 'md' | 'json';
  json?: boolean;
  pass?: PassWithResult;
  claims?: boolean;
}

export function addShowCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('show')
    .summary('print the report or the answer of a run, or what a pass left')
    .description(
      "Prints the report or the answer of a run: its text, or everything with each claim's evidence as JSON. With --claims, its claims with what was found of each, the worst first. With --pass, what a pass of a report left, while the run goes on or after it: 1 the outline, 2 the findings, 3 the validated findings, conflicts and gaps, 0 the sources gathered.",
    )
    .argument('<id>', 'the id of the run')
    .addOption(
      new Option('--format <format>', 'md, or json as in report.json').choices(['md', 'json']).default('md'),
    )
    .option('--json', 'the same as --format json')
    .option('--pass <number>', 'what pass 1, 2 or 3 left, or 0 for the sources gathered', passGiven)
    .addOption(
      new Option(
        '--claims',
        'each claim with its verdict, why, and the passage; the worst first, and those that are set aside',
      ).conflicts('pass'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate show changes | less\n  $ colligate show changes --claims\n  $ colligate show changes --format json > report.json\n  $ colligate show changes --pass 3',
    );
  answerWith(command, context, (id: string, options: ShowOptions) => show(context, id, options));
}

function show(context: CommandContext, id: string, options: ShowOptions): Promise<ExitCode> {
  const json = options.json === true || options.format === 'json';
  return withRun(context, id, async ({ run, session }) => {
    if ((await run.kind()) === 'answer') {
      if (options.pass !== undefined)
        throw new RunKindError(id, 'answer', 'Only reports have passes: leave out --pass.');
      return showAnswer(context, session.client.answerOf(id), { json, claims: options.claims === true });
    }
    if (options.pass !== undefined) return showPass(context, run, options.pass, { json });
    const stored = await run.report();
    if (stored === null) {
      const { status, pass } = await run.progress();
      const soFar =
        pass.number > 1 ? ` What passes have left: ${COMMAND} show --pass 1 ${runArgument(id)}` : '';
      throw new RunWithoutReportError(id, status, soFar);
    }
    if (options.claims === true) showClaims(context, stored.report, { json });
    else if (json) context.terminal.printJson(stored.report);
    else context.terminal.print(stripUnsafe(stored.markdown).trimEnd());
    return ExitCode.ok;
  });
}

function showClaims({ terminal }: CommandContext, report: Report, { json }: { json: boolean }): void {
  const listing = listClaims(report);
  if (json) terminal.printJson(listing);
  else
    claimsText(listing, { width: terminal.width, emphasise: terminal.colours.bold }).forEach(terminal.print);
}

function passGiven(text: string): PassWithResult {
  const pass = passWithResult(text);
  if (pass === null)
    throw new InvalidArgumentError(
      'It has to be 1, 2 or 3, or 0 for the sources gathered. Pass 4 leaves the report: leave out --pass.',
    );
  return pass;
}
