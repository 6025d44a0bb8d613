import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../platform/error-code';

export interface RunningProcess {
  pid: number;
  args: string[];
}

/** Whether the process runs. One that has ended and waits to be collected by its parent does not. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Without the right to signal it, it still exists.
    return errorCode(error) === 'EPERM';
  }
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    return state !== 'Z';
  } catch (error) {
    // No /proc on this system, or it ended between the two looks.
    return errorCode(error) === 'ENOENT' && process.platform !== 'linux';
  }
}

/**
 * The development servers that have this database file open, whoever started them. On systems with neither `/proc` nor
 * `ps` the answer is null: not known.
 */
export async function findServersOf(databaseFile: string): Promise<RunningProcess[] | null> {
  return findServers((database) => database === databaseFile);
}

/** The development servers on any file in the folder or below; null as with `findServersOf`. */
export async function findServersUnder(folder: string): Promise<RunningProcess[] | null> {
  return findServers((database) => database.startsWith(`${folder}${sep}`));
}

async function findServers(isWanted: (database: string) => boolean): Promise<RunningProcess[] | null> {
  const processes = await runningProcesses();
  if (processes === null) return null;
  return processes.filter(({ pid, args }) => {
    const database = flagValue(args, '--db-filename');
    return database !== null && isWanted(database) && args.includes('start-dev') && isProcessAlive(pid);
  });
}

export function flagValue(args: readonly string[], flag: string): string | null {
  const index = args.indexOf(flag);
  return index === -1 ? null : (args[index + 1] ?? null);
}

async function runningProcesses(): Promise<RunningProcess[] | null> {
  if (process.platform === 'linux') return fromProc();
  if (process.platform === 'win32') return null;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,args='], {
      maxBuffer: 16_000_000,
    });
    return stdout.split('\n').flatMap((line) => {
      const match = /^\s*(\d+)\s+(.*)$/.exec(line);
      // `ps` does not quote: the database file comes last among our arguments, and is found even with spaces in it.
      return match === null ? [] : [{ pid: Number(match[1]), args: splitArguments(match[2] ?? '') }];
    });
  } catch {
    return null;
  }
}

function splitArguments(line: string): string[] {
  const marker = ' --db-filename ';
  const index = line.indexOf(marker);
  if (index === -1) return line.split(' ');
  return [...line.slice(0, index).split(' '), '--db-filename', line.slice(index + marker.length)];
}

function fromProc(): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').slice(0, -1);
      return [{ pid: Number(name), args }];
    } catch {
      // It has ended, or belongs to somebody else: not a server of ours either way.
      return [];
    }
  });
}
