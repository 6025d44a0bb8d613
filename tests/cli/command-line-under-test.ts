import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { runCli } from '../../src/cli/program';
import type { CommandIo, StopSignal } from '../../src/cli/terminal';
import { BUILT } from '../support/build';

export const COMMAND_LINE = path.join(BUILT, 'cli/main.js');

export interface CommandResult {
  code: number | null;
  /** What ended it; absent where it ended by itself. */
  signal?: NodeJS.Signals;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  /** Resolves when standard output or error has the words. Rejects when the command ends before. */
  said(words: RegExp | string): Promise<void>;
  saying(): Pick<CommandResult, 'stdout' | 'stderr'>;
  /** Standard input, where `input` is `STAYS_OPEN`. */
  input: Writable;
  /** Stops it as Ctrl-C or the system does. */
  stop(signal?: StopSignal): void;
  ended: Promise<CommandResult>;
}

export interface SpawnedCommand extends RunningCommand {
  child: ChildProcess;
  /** 0 where it could not be started, of which `ended` says more. */
  pid: number;
  kill(): Promise<CommandResult>;
}

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** What standard input holds, or `STAYS_OPEN`; it is empty where it is absent. */
  input?: string;
}

/** Settings of whoever runs the tests must not reach them. */
function environment(additions: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(COLLIGATE_|TEMPORAL_|OPENAI_|FORCE_COLOR|NO_COLOR)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...additions };
}

/** An input to which the test writes, and which it ends. */
export const STAYS_OPEN = 'open';

/** The words of a command as a shell has them where nothing is expanded: what is in quotation marks is one. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Surroundings of a command whose output nobody reads. */
export function newIo({ cwd, env }: Pick<CommandOptions, 'env'> & { cwd?: string } = {}): CommandIo {
  const sink = (): Writable => new PassThrough().resume();
  return {
    stdout: sink(),
    stderr: sink(),
    stdin: new PassThrough().end(),
    env: environment(env),
    cwd: cwd ?? process.cwd(),
    signals: new EventEmitter(),
  };
}

export function startCommand(line: string | readonly string[], options: CommandOptions): RunningCommand {
  const words = typeof line === 'string' ? wordsOf(line) : line;
  const heard = createHearing();
  const [stdin, signals] = [new PassThrough(), new EventEmitter()];
  if (options.input !== STAYS_OPEN) stdin.end(options.input);
  const [stdout, stderr] = [heard.stream('stdout'), heard.stream('stderr')];
  const io = { stdout, stderr, stdin, env: environment(options.env), cwd: options.cwd, signals };
  const ended = runCli(words, io).then((code) => ({ code, ...heard.saying() }));
  return {
    ...heard.running(ended),
    input: stdin,
    stop: (signal = 'SIGINT') => void signals.emit(signal, signal),
  };
}

export function runCommand(
  line: string | readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  return startCommand(line, options).ended;
}

/** Starts the command line in a process group of its own, as a shell does. */
export function spawnCommand(line: string | readonly string[], options: CommandOptions): SpawnedCommand {
  const words = typeof line === 'string' ? wordsOf(line) : line;
  return spawnProgram([COMMAND_LINE, ...words], options);
}

/** As `spawnCommand`, for a script that is named with its arguments. */
export function spawnProgram(script: readonly string[], options: CommandOptions): SpawnedCommand {
  const child = spawn(process.execPath, script, {
    cwd: options.cwd,
    env: environment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => undefined); // it may have ended without reading
  if (options.input !== STAYS_OPEN) child.stdin.end(options.input);
  const heard = createHearing();
  child.stdout.setEncoding('utf8').on('data', (text: string) => heard.hear('stdout', text));
  let wantsServer = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.hear('stderr', text);
    // It would be minutes at it, and no test waits so long.
    wantsServer ||= heard.saying().stderr.includes('Downloading the Temporal server');
    if (wantsServer) child.kill('SIGKILL');
  });
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (wantsServer) reject(new Error('The command found no Temporal server. "npm test" gets one.'));
      else resolve({ code, ...(signal === null ? {} : { signal }), ...heard.saying() });
    });
  });
  return {
    ...heard.running(ended),
    child,
    pid: child.pid ?? 0,
    input: child.stdin,
    stop: (signal = 'SIGINT') => void child.kill(signal),
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

interface Hearing {
  hear(stream: 'stdout' | 'stderr', text: string): void;
  stream(stream: 'stdout' | 'stderr'): Writable;
  saying(): Pick<CommandResult, 'stdout' | 'stderr'>;
  running(ended: Promise<CommandResult>): Pick<RunningCommand, 'ended' | 'said' | 'saying'>;
}

/** Keeps the output of a command, and tells those who wait for words in it. */
function createHearing(): Hearing {
  const said = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  const hear: Hearing['hear'] = (stream, text) => {
    said[stream] += text;
    for (const look of waiting) look();
  };
  const has = (words: RegExp | string): boolean =>
    Object.values(said).some((text) => (typeof words === 'string' ? text.includes(words) : words.test(text)));
  return {
    hear,
    stream: (stream) =>
      new Writable({
        decodeStrings: false,
        write(text: string | Buffer, _encoding, done) {
          hear(stream, text.toString());
          done();
        },
      }),
    saying: () => ({ ...said }),
    running: (ended) => ({
      ended,
      saying: () => ({ ...said }),
      said: (words) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            if (!has(words)) return;
            waiting.delete(look);
            resolve();
          };
          waiting.add(look);
          look();
          ended.then(
            () => reject(new Error(`ended without saying ${String(words)}:\n${said.stdout}\n${said.stderr}`)),
            reject,
          );
        }),
    }),
  };
}

export function newProjectFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'colligate-cli-'));
}

/** The processes whose command line or working folder speaks of `folder`: what a command left behind there. */
export async function processesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line.includes(folder) ? [`${pid} ${line.replaceAll('\0', ' ')}`] : [];
    }),
  );
  return lines.flat();
}
