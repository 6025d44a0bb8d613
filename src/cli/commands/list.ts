import type { Command } from 'commander';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { COMMAND } from '../package-files';
import { safeLine } from '../terminal/safe-text';
import { renderTable } from '../terminal/table';
import { withSession } from '../session/with-run';

export function addListCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('list')
    .summary('all runs, newest first')
    .description('Lists all runs, reports, briefs and answers, newest first, with their status and question.')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  $ colligate list');
  answerWith(command, context, (options: { json?: boolean }) => list(context, options.json === true));
}

function list(context: CommandContext, json: boolean): Promise<ExitCode> {
  return withSession(context, async ({ client }) => {
    const { terminal } = context;
    const runs = await client.list();
    if (json) terminal.printJson({ runs });
    else if (runs.length === 0)
      terminal.say(`There are no runs yet. Start one with: ${COMMAND} report "…" --sources PATH`);
    else {
      const isAnyScheduled = runs.some(({ schedule }) => schedule !== undefined);
      const rows = runs.map((run) => [
        safeLine(run.runId),
        run.kind,
        run.status,
        localTime(run.startedAt),
        ...(isAnyScheduled ? [safeLine(run.schedule ?? '')] : []),
        safeLine(run.question),
      ]);
      const [header = '', ...lines] = renderTable(
        ['ID', 'KIND', 'STATUS', 'STARTED', ...(isAnyScheduled ? ['SCHEDULE'] : []), 'QUESTION'],
        rows,
        terminal.width,
      );
      terminal.print(terminal.colours.bold(header));
      for (const line of lines) terminal.print(line);
    }
    return ExitCode.ok;
  });
}

/** `2025-03-04 12:30`, in the user's time zone. */
function localTime(iso: string): string {
  const time = new Date(iso);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${part(time.getMonth() + 1)}-${part(time.getDate())} ${part(time.getHours())}:${part(time.getMinutes())}`;
}
