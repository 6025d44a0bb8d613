import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { ExitCode } from '../exit-code';
import { setOption } from './set-option';
import { engineChoices } from './engine-choices';
import type { VerifyOptions } from '../request/verify-request';

const EXAMPLES = `
REPORT is a text in Markdown, whoever wrote it. Citations are read as [1], [1-3], [^1], [https://…] and links; sources as
the report command reads them. No model is asked; with --engine openai a critic, the model of that role, decides what words leave
open or find wrong. Its answers are kept in the data folder: the same report with the same sources costs nothing again.

Exit codes: 0 verified, 1 a smaller share of claims is supported than --fail-under asks for, 2 wrong usage or input, 3 the
endpoint did not answer (what words tell, and what the critic said before, is told all the same).

Examples:
  $ colligate verify report.md --sources notes/
  $ colligate verify report.md --sources notes/ --engine openai --max-cost 0.50
  $ colligate verify answer.md --sources pages.jsonl --fail-under 80% --annotate answer-checked.md`;

export function addVerifyCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('verify')
    .summary('check a report, whoever wrote it, against its sources')
    .description(
      'Holds each claim of a report against what it cites, and tells its verdict, why, and where that stands; names ' +
        'citations that lead nowhere, sources that are missing, and sources that are not used.',
    )
    .argument('<report>', 'the report, in Markdown')
    .option(
      '-s, --sources <paths...>',
      'files, folders and addresses (https://…) with the texts of its sources',
    )
    .option('--engine <name>', `who decides what words cannot tell: ${engineChoices()} (default: extractive)`)
    .option('--model <name>', 'the model to ask for everything, by its name at the endpoint')
    .option('--max-tokens <number>', 'the most tokens that the critic may take; what is left stays open')
    .option('--max-cost <usd>', 'the most that the critic may cost, by the prices in the configuration')
    .option('--fail-under <share>', 'exit with 1 where fewer claims are supported: 0.8, or 80%')
    .option('--annotate <file>', 'write the report with the verdict of each claim behind it, in Markdown')
    .option('--out <file>', 'write the JSON document to a file')
    .option('--skip-invalid', 'leave out sources that cannot be read, with a warning for each')
    .addOption(setOption())
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', EXAMPLES);
  answerWith(command, context, (report: string, options: VerifyOptions) => verify(context, report, options));
}

async function verify(context: CommandContext, file: string, options: VerifyOptions): Promise<ExitCode> {
  // Only now, so that other commands and help come at once.
  const { checkVerifyRequest } = await import('../request/verify-request.js');
  const request = await checkVerifyRequest(file, options, context);
  const { runVerify } = await import('../run-verify.js');
  return runVerify(context, request);
}
