import type { Command } from 'commander';
import { passLine } from '../../core/run/pass-messages';
import { answerWith, type CommandContext } from '../command-context';
import { CLOSED_STATUSES } from '../../core/run/closed-statuses';
import { elapsedClock } from '../terminal/duration';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { count } from '../results/report-excerpt';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { withRun } from '../session/with-run';

const REASON_CHARS = 2_000;

export function addStatusCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('status')
    .summary('where a run is: status, pass, section, percent')
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
    const { pass, section, usage } = progress;
    const hasEnded = CLOSED_STATUSES.has(progress.status);
    const started = Date.parse(progress.startedAt);
    const lines: [string, string][] = [
      ['Run', `${safeLine(progress.runId)} (${progress.kind})`],
      ['Status', progress.status],
      // Of a run that has ended this is how far it came.
      [
        hasEnded ? 'Reached' : 'At',
        `${safeLine(passLine(pass))}${pass.number === 0 ? '' : ` (${pass.number} of ${pass.of})`}`,
      ],
    ];
    if (section !== null && !hasEnded)
      lines.push([
        progress.kind === 'brief' ? 'Parts' : 'Sections',
        `${section.index} of ${section.of} done: ${safeExcerpt(section.title, 100)}`,
      ]);
    if (progress.waiting !== null) {
      const { what, since, nextTry, reason } = progress.waiting;
      const waits = `for ${what} since ${since}, next try at ${nextTry}`;
      lines.push(['Waiting', `${safeLine(waits)}: ${safeExcerpt(reason, 300)}`]);
    }
    if (progress.parked !== null)
      lines.push([
        'Parked',
        `since ${progress.parked.since}, until it is resumed: ${safeExcerpt(progress.parked.reason, 300)}`,
      ]);
    if (progress.status === 'failed') {
      const { message } = await run.waitUntilClosed();
      if (message !== undefined) lines.push(['Because', safeExcerpt(message, REASON_CHARS)]);
    }
    lines.push(['Done', `${Math.floor(progress.percent)} %`]);
    lines.push([
      'Started',
      `${progress.startedAt} (${elapsedClock(Date.parse(progress.updatedAt) - started)} to its last news)`,
    ]);
    if (usage.calls > 0) {
      lines.push([
        'Used',
        `${count(usage.calls, 'call')} (${usage.cachedCalls} from the cache), ${count(usage.inputTokens + usage.outputTokens, 'token')}`,
      ]);
    }
    for (const warning of progress.warnings) lines.push(['Warning', safeExcerpt(warning.message, 300)]);
    const url = session.runUrl(progress.runId);
    if (url !== null) lines.push(['Web UI', url]);
    for (const [name, value] of lines) terminal.print(`${name.padEnd(8)} ${value}`);
    if (progress.note !== undefined) terminal.say(safeLine(progress.note));
    if (progress.status === 'running' && progress.toldBy === 'records') {
      terminal.say(`No worker answers for it. Start one with: ${COMMAND} worker`);
    }
    return ExitCode.ok;
  });
}
