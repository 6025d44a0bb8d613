import { type Command, Option } from 'commander';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { runIdProblems } from '../request/request-problems';
import { UsageError } from '../failures/usage-error';
import { withSession } from '../session/with-run';

interface DiffOptions {
  format: 'md' | 'json';
  json?: boolean;
}

export function addDiffCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('diff')
    .summary('what changed from one report to another')
    .description(
      'Compares the reports of two runs: sources that changed, came and went; findings that are new, changed or withdrawn ' +
        'with them, or quoted in one report alone; conflicts and gaps that opened or closed. Another order or numbering ' +
        'is no change.',
    )
    .argument('<before>', 'the id of the earlier run')
    .argument('<after>', 'the id of the later run')
    .addOption(
      new Option('--format <format>', 'md, or json with every change in full')
        .choices(['md', 'json'])
        .default('md'),
    )
    .option('--json', 'the same as --format json')
    .addHelpText(
      'after',
      '\nExamples:\n  $ colligate diff march april | less\n  $ colligate diff march april --format json > changes.json',
    );
  answerWith(command, context, (before: string, after: string, options: DiffOptions) =>
    diff(context, { before, after }, options),
  );
}

async function diff(
  context: CommandContext,
  ids: { before: string; after: string },
  options: DiffOptions,
): Promise<ExitCode> {
  const problems = [...runIdProblems(ids.before, 'BEFORE'), ...runIdProblems(ids.after, 'AFTER')];
  if (problems.length === 0 && ids.before === ids.after)
    problems.push(`Both ids are "${ids.before}": a report does not differ from itself. Name two runs.`);
  if (problems.length > 0) throw new UsageError(problems);
  return withSession(context, async ({ client }) => {
    const found = await client.diff(ids.before, ids.after);
    if (options.json === true || options.format === 'json') context.terminal.printJson(found);
    else {
      // Only now, so that help and usage errors come at once.
      const { diffMarkdown } = await import('../../diff/diff-markdown.js');
      context.terminal.print(stripUnsafe(diffMarkdown(found)).trimEnd());
    }
    return ExitCode.ok;
  });
}
