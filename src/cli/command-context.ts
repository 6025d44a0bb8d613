import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../app/config';
import type { Sources } from '../app/config-sources';
import type { ClosedRun } from '../client/run-handle';
import { ChosenRunId, RunId } from '../contracts/run';
import { isPlainRunId } from '../contracts/run-protocol';
import { MAX_QUESTION_CHARS } from '../contracts/start';
import { groupedDigits } from '../lib/strings';
import { shapeProblems } from '../lib/validation';
import {
  type CommandIo,
  safeLine,
  type SignalSource,
  STOP_SIGNALS,
  type StopSignal,
  type Terminal,
} from './terminal';

export type GivenSettings = Pick<Sources, 'set' | 'flags'>;

export interface CommandContext {
  readonly io: CommandIo;
  readonly terminal: Terminal;
  readonly loadConfig: (given?: GivenSettings) => Config;
  /**
   * The same, with the models of this machine and their windows for what asks models. Throws `NoLocalModelError` as well.
   * `mayLoad` where a model is asked at once.
   */
  readonly loadConfigWithModels: (given: GivenSettings, options: { mayLoad: boolean }) => Promise<Config>;
  exitCode: ExitCode;
  /** Whether an unknown error shows its stack; set from the configured log level. */
  showStacks: boolean;
  /** Ends the command now with this exit code, whatever is under way. */
  readonly leave: (exitCode: ExitCode) => void;
}

export type RequestContext = Pick<CommandContext, 'io' | 'loadConfig' | 'loadConfigWithModels'>;

/** Makes `run` the command's action; what it resolves with becomes the exit code. */
export function answerWith(
  command: Command,
  context: CommandContext,
  run: (...given: never[]) => Promise<ExitCode>,
): Command {
  return command.action(async (...given: unknown[]) => {
    // Commander passes the declared arguments and options first, then the command itself; it does not know their types.
    context.exitCode = await run(...(given.slice(0, -1) as never[]));
  });
}

/** What the shell sees (decision 3 of the design). */
export const ExitCode = { ok: 0, failed: 1, usage: 2, unreachable: 3, cancelled: 130 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code of a command that waited for a run. A partial report is a success with a warning. */
export function exitCodeOf({ status, engineUnreachable }: ClosedRun): ExitCode {
  if (status === 'failed') return engineUnreachable ? ExitCode.unreachable : ExitCode.failed;
  return status === 'cancelled' ? ExitCode.cancelled : ExitCode.ok;
}

/** What the user asked for cannot be done as it was asked: every problem found, each a whole sentence for the user. */
export class UsageError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
    this.problems = problems;
  }
}

/** From `dist/cli` and from `src/cli` alike. */
const PACKAGE_ROOT = path.resolve(__dirname, '../..');

export const EXAMPLES_DIR = path.join(PACKAGE_ROOT, 'examples');

export const COMMAND = PACKAGE_ROOT.split(path.sep).includes('node_modules')
  ? 'colligate'
  : 'npm run -s colligate --';

const MAX_FOLDER_CHARS = 80;
const HASH_CHARS = 12;

/**
 * The name of a run's folder: its id where that is plain, else as much of it as a folder may be called, and a part of
 * its hash behind a `~`, which no plain id has, so that two runs never share a folder.
 */
export function runFolderName(runId: string): string {
  if (isPlainRunId(runId)) return runId;
  const told = runId.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  const hash = createHash('sha256').update(runId).digest('hex').slice(0, HASH_CHARS);
  return `${told.slice(0, MAX_FOLDER_CHARS)}~${hash}`;
}

/** A run's id as a shell takes it for one word, to be copied from a message. */
export function runArgument(runId: string): string {
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
  return shapeProblems([[name, schema, runId]]).map((problem) => `${problem}.`);
}

export interface StopSignals {
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP; its reason is the signal's name. */
  readonly stopped: AbortSignal;
  /** Called at the next one, for leaving at once. */
  onSecond(leave: (signal: StopSignal) => void): void;
  /** Gives the signals back to the system. */
  dispose(): void;
}

/**
 * One Ctrl-C can arrive twice: from the terminal, which signals the whole group, and from a package manager in front
 * of this process, which forwards it. What follows this soon is the same key press.
 */
const SAME_PRESS_MS = 400;

export function listenForStop(source: SignalSource, now: () => number = Date.now): StopSignals {
  const controller = new AbortController();
  let firstAt = 0;
  let leave: (signal: StopSignal) => void = () => undefined;
  const listener = (signal: StopSignal): void => {
    if (!controller.signal.aborted) {
      firstAt = now();
      controller.abort(signal);
    } else if (now() - firstAt >= SAME_PRESS_MS) {
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
