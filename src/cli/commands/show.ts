import { type Command, InvalidArgumentError, Option } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import { passGiven } from '../request/pass-given';
import type { ShowOptions } from '../results/show-run';

export function addShowCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('show')
    .summary('print the report, brief or answer of a run, or what a pass left')
    .description(
      "Prints the report, the brief or the answer of a run: its text, or everything with each claim's evidence as JSON. With --claims, its claims with what was found of each, the worst first. With --pass, what a pass of a report left, while the run goes on or after it: 1 the outline, 2 the findings, 3 the validated findings, conflicts and gaps, 0 the sources gathered. Of a brief: gather what its subtopics state and cite, plan its parts, judge how its versions were judged.",
    )
    .argument('<id>', 'the id of the run')
    .addOption(
      new Option('--format <format>', 'md, or json as in report.json').choices(['md', 'json']).default('md'),
    )
    .option('--json', 'the same as --format json')
    .option(
      '--pass <pass>',
      'of a report what pass 1, 2 or 3 left, or 0 for the sources gathered; of a brief gather, plan or judge',
      passGiven,
    )
    .addOption(
      new Option(
        '--claims',
        'each claim with its verdict, why, and the passage; the worst first, and those that are set aside',
      ).conflicts('pass'),
    )
    .addOption(
      new Option('--version <number>', 'an earlier version of a text that was judged')
        .argParser(versionGiven)
        .conflicts(['pass', 'claims']),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate show changes | less\n  $ colligate show changes --claims\n  $ colligate show changes --format json > report.json\n  $ colligate show changes --pass 3\n  $ colligate show changes --version 1',
    );
  answerWith(command, context, async (id: string, options: ShowOptions) => {
    const { showRun } = await import('../results/show-run.js');
    return showRun(context, id, options);
  });
}

function versionGiven(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be the number of a version, from 1.');
}
