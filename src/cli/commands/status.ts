import type { Command } from 'commander';
import { labelled } from '../progress/progress-line';
import { localClock } from '../../core/run/endpoint-limit';
import { runSnapshot, snapshotFacts } from '../../core/run/run-snapshot';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { withRun } from '../session/with-run';

const LINE_CHARS = 2_000;

export function addStatusCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('status')
    .summary('where a run is: status, pass, section, what it waits for')
    .description('Says where a run is: its status, pass and section, what it has used, and its warnings.')
    .argument('<id>', 'the id of the run')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate status changes');
  answerWith(command, context, (id: string, options: StatusOptions) => status(context, id, options));
}

interface StatusOptions {
  json?: boolean;
}

function status(context: CommandContext, id: string, options: StatusOptions): Promise<ExitCode> {
  return withRun(context, id, async ({ run, session }) => {
    const { terminal } = context;
    const progress = await run.progress();
    if (options.json === true) {
      terminal.printJson(progress);
      return ExitCode.ok;
    }
    const failure = progress.status === 'failed' ? ((await run.waitUntilClosed()).message ?? null) : null;
    const facts = snapshotFacts(runSnapshot(progress, failure), localClock(new Date()));
    const url = session.runUrl(progress.runId);
    const lines = facts.map(({ name, text }): [string, string] => [name, safeExcerpt(text, LINE_CHARS)]);
    labelled([...lines, ...(url === null ? [] : [['Web UI', url] as [string, string]])]).forEach(
      terminal.print,
    );
    if (progress.note !== undefined) terminal.say(safeLine(progress.note));
    if (progress.status === 'running' && progress.toldBy === 'records') {
      terminal.say(`No worker answers for it. Start one with: ${COMMAND} worker`);
    }
    return ExitCode.ok;
  });
}
