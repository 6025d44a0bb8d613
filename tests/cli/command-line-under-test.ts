import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUILT } from '../support/build';

/** The built command line. */
export const COMMAND_LINE = path.join(BUILT, 'cli/main.js');

export interface CommandResult {
  code: number | null;
  /** What ended it; absent where it ended by itself. */
  signal?: NodeJS.Signals;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  child: ChildProcess;
  /** 0 where it could not be started, of which `ended` says more. */
  pid: number;
  /** Resolves when standard output or error has the words. Rejects when the command ends before. */
  said(words: RegExp | string): Promise<void>;
  /** What it said so far. */
  saying(): Pick<CommandResult, 'stdout' | 'stderr'>;
  /** Ends it as a crash would; resolves when it is gone. */
  kill(): Promise<CommandResult>;
  ended: Promise<CommandResult>;
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

/** Starts the command line in a process group of its own, as a shell does. */
export function startCommand(line: string | readonly string[], options: CommandOptions): RunningCommand {
  const words = typeof line === 'string' ? wordsOf(line) : line;
  return startProgram([COMMAND_LINE, ...words], options);
}

/** As `startCommand`, for a script that is named with its arguments. */
export function startProgram(script: readonly string[], options: CommandOptions): RunningCommand {
  const child = spawn(process.execPath, script, {
    cwd: options.cwd,
    env: environment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => undefined); // it may have ended without reading
  if (options.input !== STAYS_OPEN) child.stdin.end(options.input);
  let stdout = '';
  let stderr = '';
  const waiting: (() => void)[] = [];
  const heard = (): void => waiting.forEach((look) => look());
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard();
  });
  let wantsServer = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    // It would be minutes at it, and no test waits so long.
    wantsServer ||= stderr.includes('Downloading the Temporal server');
    if (wantsServer) child.kill('SIGKILL');
    heard();
  });
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (wantsServer) reject(new Error('The command found no Temporal server. "npm test" gets one.'));
      else resolve({ code, ...(signal === null ? {} : { signal }), stdout, stderr });
    });
  });
  const has = (text: string, words: RegExp | string): boolean =>
    typeof words === 'string' ? text.includes(words) : words.test(text);
  return {
    child,
    pid: child.pid ?? 0,
    ended,
    saying: () => ({ stdout, stderr }),
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
    said: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (has(stdout, words) || has(stderr, words)) resolve();
        };
        waiting.push(look);
        look();
        ended.then(
          () => reject(new Error(`ended without saying ${String(words)}:\n${stdout}\n${stderr}`)),
          reject,
        );
      }),
  };
}

export function runCommand(
  line: string | readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  return startCommand(line, options).ended;
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
