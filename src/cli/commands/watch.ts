import { InvalidArgumentError, type Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import type { WatchOptions } from '../progress/watch-run';
import { TEXTS_FLAG } from './texts-flag';

export function addWatchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('watch')
    .summary('follow a run: phases, sections, conflicts, until it ends')
    .description(
      'Follows a run by its events until it ends: phases, sections with their findings, conflicts, and the text of each section, paragraph by paragraph as it is written, with its sources by short names. Leaving it does not stop the run.',
    )
    .argument('<id>', 'the id of the run')
    .option(
      '--out <folder>',
      'write report.md, report.json and, of a report, report.html there when it ends; report.html tells until then where it is',
    )
    .option('--no-html', 'write no report.html')
    .option('--texts <which>', TEXTS_FLAG)
    .option('--after <number>', 'only events above this number', wholeNumber)
    .option('--json', 'print one JSON document on standard output when it ends')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate watch changes\n  $ colligate watch changes --out reports',
    );
  answerWith(command, context, async (id: string, options: WatchOptions) => {
    const { watchRun } = await import('../progress/watch-run.js');
    return watchRun(context, id, options);
  });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number from 0.');
  return Number(text);
}
