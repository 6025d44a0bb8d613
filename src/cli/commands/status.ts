import type { Command } from 'commander';
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
  answerWith(command, context, (id: string, options: { json?: boolean }) =>
    status(context, id, options.json === true),
  );
}

function status(context: CommandContext, id: string, json: boolean): Promise<ExitCode> {
  return withRun(context, id, async ({ run, session }) => {
    const { terminal } = context;
    const progress = await run.progress();
    if (json) {
      terminal.printJson(progress);
      return ExitCode.ok;
    }
    const failure = progress.status === 'failed' ? ((await run.waitUntilClosed()).message ?? null) : null;
    const facts = snapshotFacts(runSnapshot(progress, failure));
    for (const { label, text } of facts)
      terminal.print(`${label.padEnd(8)} ${safeExcerpt(text, LINE_CHARS)}`);
    const url = session.runUrl(progress.runId);
    if (url !== null) terminal.print(`Web UI   ${url}`);
    if (progress.note !== undefined) terminal.say(safeLine(progress.note));
    if (progress.status === 'running' && progress.toldBy === 'records') {
      terminal.say(`No worker answers for it. Start one with: ${COMMAND} worker`);
    }
    return ExitCode.ok;
  });
}
