import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../app/config';
import type { ConfigSources } from '../app/config-sources';
import type { ClosedRun } from '../client/run-handle';
import { ChosenRunId, RunId } from '../contracts/run';
import { isPlainRunId } from '../contracts/run-protocol';
import { MAX_QUESTION_CHARS } from '../contracts/start';
import { groupedDigits } from '../lib/strings';
import { schemaProblemTexts } from '../lib/validation';
import {
  type CommandIo,
  safeLine,
  type SignalSource,
  STOP_SIGNALS,
  type StopSignal,
  type Terminal,
} from './terminal';

// The context of a command, its exit code, ids of runs and stop signals.

export type SettingOverrides = Pick<ConfigSources, 'set' | 'flags'>;

export interface CommandContext {
  readonly io: CommandIo;
  readonly terminal: Terminal;
  readonly loadConfig: (given?: SettingOverrides) => Config;
  /**
   * Like `loadConfig`, and finds the models and context windows of local model servers. `mayLoad` lets Ollama
   * load a model to report its window. Throws `NoLocalModelError`.
   */
  readonly loadConfigWithModels: (given: SettingOverrides, options: { mayLoad: boolean }) => Promise<Config>;
  exitCode: ExitCode;
  /** True: print the stack of an unexpected error. Set from the log level. */
  showStacks: boolean;
  /** Ends the command at once, without waiting for pending work. */
  readonly leave: (exitCode: ExitCode) => void;
}

export type RequestContext = Pick<CommandContext, 'io' | 'loadConfig' | 'loadConfigWithModels'>;

export function setCommandAction(
  command: Command,
  context: CommandContext,
  run: (...given: never[]) => Promise<ExitCode>,
): Command {
  return command.action(async (...given: unknown[]) => {
    // Commander passes the declared arguments and options first, then the command. It does not know their
    // types.
    context.exitCode = await run(...(given.slice(0, -1) as never[]));
  });
}

/** Exit codes of the process (design decision 3). */
export const ExitCode = { ok: 0, failed: 1, usage: 2, unreachable: 3, cancelled: 130 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A partial report counts as a success. */
export function exitCodeOfRun({ status, engineUnreachable }: ClosedRun): ExitCode {
  if (status === 'failed') return engineUnreachable ? ExitCode.unreachable : ExitCode.failed;
  return status === 'cancelled' ? ExitCode.cancelled : ExitCode.ok;
}

export class UsageError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
    this.problems = problems;
  }
}

/** Works from `dist/cli` and from `src/cli`. */
const PACKAGE_ROOT = path.resolve(__dirname, '../..');

export const EXAMPLES_DIR = path.join(PACKAGE_ROOT, 'examples');

export const COMMAND = PACKAGE_ROOT.split(path.sep).includes('node_modules')
  ? 'colligate'
  : 'npm run -s colligate --';

const MAX_FOLDER_CHARS = 80;
const HASH_CHARS = 12;

/**
 * The run id if it is plain. Otherwise the beginning of the id, `~` and a part of its hash: plain ids have no
 * `~`, so two runs never share a folder.
 */
export function runFolderName(runId: string): string {
  if (isPlainRunId(runId)) return runId;
  const told = runId.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  const hash = createHash('sha256').update(runId).digest('hex').slice(0, HASH_CHARS);
  return `${told.slice(0, MAX_FOLDER_CHARS)}~${hash}`;
}

/** Quotes a run id for a shell command in a message. */
export function quoteRunId(runId: string): string {
  if (isPlainRunId(runId)) return runId;
  const quoted = `'${safeLine(runId).replaceAll("'", `'\\''`)}'`;
  return runId.startsWith('-') ? `-- ${quoted}` : quoted;
}

export function questionProblems(question: string): string[] {
  const { length } = question.trim();
  if (length === 0) return ['QUESTION is empty: ask something, in quotation marks.'];
  return length > MAX_QUESTION_CHARS
    ? [
        `QUESTION has ${groupedDigits(length)} characters; at most ${groupedDigits(MAX_QUESTION_CHARS)} are allowed. Longer material belongs into the sources.`,
      ]
    : [];
}

export function runIdProblems(runId: string, name: string): string[] {
  return idProblems(RunId, runId, name);
}

export function chosenRunIdProblems(runId: string, name: string): string[] {
  return idProblems(ChosenRunId, runId, name);
}

function idProblems(schema: typeof RunId, runId: string, name: string): string[] {
  return schemaProblemTexts([[name, schema, runId]]).map((problem) => `${problem}.`);
}

export interface StopSignals {
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP. The reason is the name of the signal. */
  readonly stopped: AbortSignal;
  onSecond(leave: (signal: StopSignal) => void): void;
  dispose(): void;
}

/**
 * One Ctrl-C can arrive twice: from the terminal, which signals the whole group, and from a package manager
 * that forwards it. Signals within this time count as one.
 */
const REPEATED_SIGNAL_MS = 400;

export function listenForStop(source: SignalSource, now: () => number = Date.now): StopSignals {
  const controller = new AbortController();
  let firstAt = 0;
  let leave: (signal: StopSignal) => void = () => undefined;
  const listener = (signal: StopSignal): void => {
    if (!controller.signal.aborted) {
      firstAt = now();
      controller.abort(signal);
    } else if (now() - firstAt >= REPEATED_SIGNAL_MS) {
      leave(signal);
    }
  };
  for (const signal of STOP_SIGNALS) source.on(signal, listener);
  return {
    stopped: controller.signal,
    onSecond(handler) {
      leave = handler;
    },
    dispose() {
      for (const signal of STOP_SIGNALS) source.off(signal, listener);
    },
  };
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
