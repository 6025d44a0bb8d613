import type { Command } from 'commander';
import type { RunHandle } from '../../client/run-handle';
import { RunNotRunningError } from '../../client/run-errors';
import { answerWith, type CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { CLOSED_STATUSES } from '../../core/run/closed-statuses';
import { COMMAND } from '../package-files';
import type { Session } from '../../app/session/open-session';
import { withRun } from '../session/with-run';
import { runArgument } from '../results/run-name';

interface Steering {
  name: 'pause' | 'resume' | 'cancel';
  summary: string;
  description: string;
  act(run: RunHandle): Promise<void>;
  answer(runId: string, session: Pick<Session, 'startedServer'>): string;
}

const STEERINGS: readonly Steering[] = [
  {
    name: 'pause',
    summary: 'schedule nothing new; what is under way finishes',
    description:
      'Pauses a run: nothing new is scheduled, what is under way finishes, and the clock of its budget stands still.',
    act: (run) => run.pause(),
    answer: (runId) => `Run ${runId} pauses. Go on with: ${COMMAND} resume ${runArgument(runId)}`,
  },
  {
    name: 'resume',
    summary: 'go on with a paused run; try at once where it waits',
    description:
      'Goes on with a paused run where it stopped. One that waits for an endpoint, or was paused for it, tries it at once.',
    act: (run) => run.resume(),
    answer: (runId, { startedServer }) =>
      startedServer
        ? `Run ${runId} goes on as soon as a worker is there: ${COMMAND} dev`
        : `Run ${runId} goes on.`,
  },
  {
    name: 'cancel',
    summary: 'end a run and keep a partial report',
    description: 'Cancels a run. It ends when its partial report is stored; "colligate show ID" prints that.',
    act: (run) => run.cancel(),
    answer: (runId) =>
      `Run ${runId} is being cancelled. Its partial report: ${COMMAND} show ${runArgument(runId)}`,
  },
];

export function addSteeringCommands(program: Command, context: CommandContext): void {
  for (const steering of STEERINGS) {
    const command = program
      .command(steering.name)
      .summary(steering.summary)
      .description(steering.description)
      .argument('<id>', 'the id of the run')
      .option('--json', 'print one JSON document on standard output')
      .addHelpText('after', `\nExample:\n  $ colligate ${steering.name} changes`);
    answerWith(command, context, (id: string, options: { json?: boolean }) =>
      withRun(context, id, async ({ run, session }) => {
        // The server accepts the cancellation of an ended run without a word.
        if (CLOSED_STATUSES.has((await run.progress()).status))
          throw new RunNotRunningError(id, steering.name);
        await steering.act(run);
        if (options.json === true) context.terminal.printJson({ id, requested: steering.name });
        else context.terminal.print(steering.answer(id, session));
        return ExitCode.ok;
      }),
    );
  }
}
