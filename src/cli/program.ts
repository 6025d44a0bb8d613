import { Command, CommanderError } from 'commander';
import { loadConfig, processEnvironment } from '../app/config';
import { packageVersion } from '../app/package-version';
import { diskErrorText } from '../lib/errors';
import { type CommandContext, ExitCode } from './command-context';
import { addScheduleCommand } from './commands/scheduling';
import {
  addCodecCommand,
  addDevCommand,
  addDoctorCommand,
  addMcpCommand,
  addServeCommand,
  addServerCommand,
  addTokenCommand,
  addWorkerCommand,
} from './commands/services';
import { addDiffCommand, addExportCommand, addShowCommand, addVerifyCommand } from './commands/show';
import { addListCommand, addStatsCommand, addStatusCommand, addWatchCommand } from './commands/status';
import {
  addAddSourcesCommand,
  addDeleteCommand,
  addOutlineCommand,
  addSteeringCommands,
} from './commands/steer';
import {
  addAnswerCommand,
  addBriefCommand,
  addDemoCommand,
  addImportCommand,
  addReportCommand,
} from './commands/writing';
import { describeFailure, shortened } from './failures';
import { type CommandIo, openTerminal, safeLine } from './terminal';

const DESCRIPTION =
  'Turns piles of sources into reports that can be checked: every claim with its quote, every conflict and every gap ' +
  'named. Each run is a durable workflow: it survives crashes, and can be followed, paused and cancelled.';

const AFTER_HELP = `
Start here:
  $ colligate demo                                     a whole run on the notes in examples/
  $ colligate report "Does it work?" --sources notes/  a report on your own files
  $ colligate answer "Does it work?" --sources notes/  an answer in a moment, with what it cites
  $ colligate brief "Does it work?" --subtopics notes/ summaries of subtopics brought together, and judged
  $ colligate doctor                                   what is configured, reachable and missing

Exit codes: 0 completed (a partial report too, with a warning), 1 failed, 2 wrong usage or input,
3 no server or engine reachable (a run is then kept, and resumed), 130 cancelled.
Settings come from flags, the environment (COLLIGATE_…, TEMPORAL_…) and colligate.config.json, in this order.`;

const MACHINERY = 'The machinery:';

export async function runAsProcess(argv: readonly string[]): Promise<void> {
  const cli = createCli(argv, {
    stdout: process.stdout,
    stderr: process.stderr,
    // Opened on first use: standard input can be closed.
    get stdin() {
      return process.stdin;
    },
    env: processEnvironment(),
    cwd: process.cwd(),
    signals: process,
  });
  process.on('uncaughtException', (error) => {
    cli.reportUncaught(error);
    process.exit(ExitCode.failed);
  });
  // Node exits silently with code 0 when nothing is pending.
  process.on('beforeExit', () => {
    cli.reportStalled();
    process.exit(ExitCode.failed);
  });
  process.exit(await cli.run());
}

interface Cli {
  run(): Promise<ExitCode>;
  reportUncaught(error: Error): void;
  reportStalled(): void;
}

export function runCli(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  return createCli(argv, io).run();
}

function createCli(argv: readonly string[], io: CommandIo): Cli {
  const terminal = openTerminal(io);
  const left = new AbortController();
  const context: CommandContext = {
    io,
    terminal,
    loadConfig: (given = {}) => loadConfig({ ...given, cwd: io.cwd, env: io.env }),
    async loadConfigWithModels(given, { mayLoad }) {
      const config = context.loadConfig(given);
      const { withLocalModels } = await import('../app/local-engine.js');
      return withLocalModels(config, { mayLoad, tell: (line) => terminal.say(safeLine(line)) });
    },
    exitCode: ExitCode.ok,
    showStacks: false,
    leave(exitCode) {
      context.exitCode = exitCode;
      left.abort();
    },
  };
  const json = argv.includes('--json');
  const sayError = (message: string): void =>
    terminal.say(`${terminal.errorColours.red('error:')} ${message}`);

  async function parse(): Promise<void> {
    try {
      await createProgram(context, { json }).parseAsync(argv, { from: 'user' });
    } catch (error) {
      const failure = describeFailure(error);
      context.exitCode = failure.exitCode;
      const said = error instanceof CommanderError && !json;
      if (failure.message !== '' && !said) {
        if (json) terminal.printJson({ error: { code: failure.code, message: failure.message } });
        sayError(failure.message);
      }
      if (context.showStacks && error instanceof Error && error.stack !== undefined)
        terminal.say(error.stack);
    }
    await terminal.flush();
    const unwritten = terminal.outputFailure();
    if (unwritten === null) return;
    sayError(`Standard output could not be written: ${diskErrorText(unwritten)}.`);
    if (context.exitCode === ExitCode.ok) context.exitCode = ExitCode.failed;
    await terminal.flush();
  }

  return {
    run() {
      const leaving = new Promise<ExitCode>((resolve) =>
        left.signal.addEventListener('abort', () => resolve(context.exitCode)),
      );
      return Promise.race([parse().then(() => context.exitCode), leaving]);
    },
    reportUncaught(error) {
      sayError(describeFailure(error).message);
      if (context.showStacks) terminal.say(error.stack ?? '');
    },
    reportStalled: () =>
      sayError(
        'The command ended without an answer. What it waited for never came; COLLIGATE_LOG_LEVEL=debug shows more.',
      ),
  };
}

/** With `json`, usage errors are only in the JSON document. */
export function createProgram(context: CommandContext, { json }: { json: boolean }): Command {
  const program = new Command('colligate')
    .description(DESCRIPTION)
    .version(packageVersion(), '-V, --version', 'print the version')
    .enablePositionalOptions() // a command can have a --version of its own
    .helpOption('-h, --help', 'show help for a command')
    .addHelpCommand(
      new Command('help').argument('[command]').description('show help for a command').helpGroup(MACHINERY),
    )
    .showHelpAfterError('(add --help for how the command is used)')
    .configureHelp({ subcommandTerm: termOf, helpWidth: Math.min(110, context.terminal.width) })
    .configureOutput({
      writeOut: (text) => context.terminal.print(text.trimEnd()),
      writeErr: (text) => {
        if (!json) context.terminal.say(shortened(text.trimEnd()));
      },
    })
    .exitOverride()
    .addHelpText('after', AFTER_HELP);

  program.commandsGroup('Reports:');
  addDemoCommand(program, context);
  addReportCommand(program, context);
  addBriefCommand(program, context);
  addVerifyCommand(program, context);
  addImportCommand(program, context);
  program.commandsGroup('Answers:');
  addAnswerCommand(program, context);
  addStatsCommand(program, context);
  program.commandsGroup('Runs:');
  addStatusCommand(program, context);
  addWatchCommand(program, context);
  addListCommand(program, context);
  addShowCommand(program, context);
  addExportCommand(program, context);
  addDiffCommand(program, context);
  addSteeringCommands(program, context);
  addOutlineCommand(program, context);
  addAddSourcesCommand(program, context);
  addDeleteCommand(program, context);
  program.commandsGroup('Schedules:');
  addScheduleCommand(program, context);
  program.commandsGroup(MACHINERY);
  addServerCommand(program, context);
  addServeCommand(program, context);
  addMcpCommand(program, context);
  addTokenCommand(program, context);
  addWorkerCommand(program, context);
  addDevCommand(program, context);
  addCodecCommand(program, context);
  addDoctorCommand(program, context);
  return program;
}

/** `report <question>`, without the options. */
function termOf(command: Command): string {
  const given = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  return [command.name(), ...given].join(' ');
}
