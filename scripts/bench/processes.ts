// The machine, and processes on it: what they are started with, what they use, and how they end.
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { version } from '../../package.json';
import { root } from '../checkout.mjs';

/** The command line as it is built. */
export const MAIN = join(root, 'dist', 'cli', 'main.js');
const TSX = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs');
const STOP_LIMIT_MS = 30_000;

/** Since 1970, of the clock that the model server tells its calls by. */
export const now = (): number => performance.timeOrigin + performance.now();

export async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

/** A folder for some work, which is gone when it has ended. */
export async function inFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `colligate-${name}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Settings of whoever measures must not be in the figures; where the server's binary is cached is no such setting. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = (name: string): boolean =>
    /^(COLLIGATE|TEMPORAL|OPENAI)_/.test(name) && name !== 'COLLIGATE_CACHE_DIR';
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign(name)));
}

export interface Started {
  child: ChildProcessByStdio<null, Readable, Readable>;
  lines: Interface;
  /** Its first line, which says that it is ready. */
  said: string;
}

/** A process that says a line when it is ready; what it says against it is told where it ends before. */
export async function started(
  args: readonly string[],
  { cwd, env = process.env }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Started> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const log: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
  const lines = createInterface({ input: child.stdout });
  const said = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code, signal) =>
      reject(new Error(`${args.join(' ')} ended with ${code ?? signal ?? ''}:\n${log.join('')}`)),
    );
  });
  return { child, lines, said };
}

export async function stop({ child }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(late);
}

/** A script of the project in TypeScript, as a process of its own. */
export function typeScript(path: string, ...args: string[]): string[] {
  return ['--import', TSX, join(root, path), ...args];
}

export function runTypeScript(path: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, typeScript(path, ...args), {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${[path, ...args].join(' ')} ended with ${String(status)}`);
}

/** What the figures were taken on. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  colligate: string;
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: totalmem() / 1024 ** 3,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    colligate: version,
  };
}

/** Begins to watch; the function that it returns gives the share of the processors' time that was not idle since. */
export function busyShare(): () => number {
  const totals = (): { idle: number; all: number } => {
    const times = cpus().map((cpu) => cpu.times);
    const all = times.flatMap((time) => Object.values(time));
    return {
      idle: times.reduce((sum, { idle }) => sum + idle, 0),
      all: all.reduce((sum, time) => sum + time, 0),
    };
  };
  const before = totals();
  return () => {
    const after = totals();
    return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
  };
}

const SAMPLE_MS = 25;
/** Linux counts processor time in hundredths of a second, whatever the processor. */
const TICKS_A_SECOND = 100;

interface Memory {
  anonymousBytes: number;
  residentBytes: number;
}

/** Peaks in bytes, when the anonymous one was reached (milliseconds since 1970), and the processor time of all threads. */
export interface Usage extends Memory {
  anonymousAt: number;
  cpuSeconds: number;
}

/**
 * Watches a process, with those that it starts or without, until `stop`, which gives null where the system does not tell: it is
 * Linux's /proc that does.
 */
export function watchProcess(
  pid: number | undefined,
  { withChildren = false } = {},
): { stop: () => Usage | null } {
  const cpuOf = (): number | null => sumOf(pid, withChildren, (one) => cpuSeconds(one, withChildren));
  const cpuBefore = cpuOf();
  // A process that has ended tells nothing any more: what it had used when it was last asked stands.
  let cpuLast = cpuBefore;
  const peak = { anonymousBytes: 0, anonymousAt: 0, residentBytes: 0 };
  const sample = (): void => {
    const anonymousBytes = sumOf(pid, withChildren, (one) => memoryOf(one)?.anonymousBytes ?? null);
    const residentBytes = sumOf(pid, withChildren, (one) => memoryOf(one)?.residentBytes ?? null);
    if (anonymousBytes === null || residentBytes === null) return;
    cpuLast = cpuOf() ?? cpuLast;
    if (anonymousBytes > peak.anonymousBytes) {
      peak.anonymousBytes = anonymousBytes;
      peak.anonymousAt = Date.now();
    }
    peak.residentBytes = Math.max(peak.residentBytes, residentBytes);
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      if (cpuBefore === null || cpuLast === null || peak.residentBytes === 0) return null;
      return { ...peak, cpuSeconds: cpuLast - cpuBefore };
    },
  };
}

/** RssAnon leaves out mapped pages of files, which lmdb has many of and the system can take back at any time. */
export function memoryOf(pid: number | undefined): Memory | null {
  const status = readProc(pid, 'status') ?? '';
  const kilobytes = (name: string): string | undefined =>
    new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
  const [anonymous, resident] = [kilobytes('RssAnon'), kilobytes('VmRSS')];
  if (anonymous === undefined || resident === undefined) return null;
  return { anonymousBytes: Number(anonymous) * 1024, residentBytes: Number(resident) * 1024 };
}

/** Of a process and, where they are asked for, of those that it has started and that are there; null where it is not. */
function sumOf(
  pid: number | undefined,
  withChildren: boolean,
  of: (pid: number | undefined) => number | null,
): number | null {
  const own = of(pid);
  const children = withChildren ? (readProc(pid, `task/${String(pid)}/children`) ?? '').trim() : '';
  if (own === null || children === '') return own;
  return children.split(' ').reduce((sum, child) => sum + (of(Number(child)) ?? 0), own);
}

function cpuSeconds(pid: number | undefined, withEnded: boolean): number | null {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  // The name, in brackets, may itself have spaces and brackets; the numbered fields follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, withEnded ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_A_SECOND;
}

function readProc(pid: number | undefined, name: string): string | null {
  try {
    return readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
  } catch {
    return null; // not Linux, or the process has ended
  }
}
