import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { errorCode } from '../../lib/errors';
import { PRIVATE_FILE } from '../../lib/files';

export const ServerRecord = z.object({
  pid: z.int().positive(),
  address: z.string().min(1),
  uiUrl: z.string().min(1),
  users: z.array(z.int().positive()),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

export interface ServerFiles {
  record: string;
  /** Kept after the server ends, so that the next one uses the same ports. */
  ports: string;
  database: string;
  log: string;
}

export function serverFiles(dataDir: string): ServerFiles {
  return {
    record: join(dataDir, 'server.json'),
    ports: join(dataDir, 'server-ports.json'),
    database: join(dataDir, 'temporal.db'),
    log: join(dataDir, 'server.log'),
  };
}

/** Returns the record with living users only; null if it is missing or invalid. */
export async function readServerRecord(file: string): Promise<ServerRecord | null> {
  try {
    const record = ServerRecord.parse(JSON.parse(await readFile(file, 'utf8')));
    return { ...record, users: record.users.filter(isProcessAlive) };
  } catch {
    return null;
  }
}

/** Port of the API and port of the Web UI. */
const ServerPorts = z.tuple([z.int().min(1).max(65_535), z.int().min(1).max(65_535)]);
type ServerPorts = readonly [number, number];

export async function readServerPorts(file: string): Promise<ServerPorts | null> {
  try {
    return ServerPorts.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/** The next server of the folder starts at the same ports, because clients may wait for its address. */
export async function writeServerPorts(file: string, ports: ServerPorts): Promise<void> {
  await writeJsonAtomically(file, ports);
}

export async function writeServerRecord(file: string, record: ServerRecord): Promise<void> {
  await writeJsonAtomically(file, record);
}

async function writeJsonAtomically(file: string, value: unknown): Promise<void> {
  const next = `${file}.${process.pid}`;
  await writeFile(next, `${JSON.stringify(value, null, 2)}\n`, { mode: PRIVATE_FILE });
  await rename(next, file);
}

export async function removeServerRecord(file: string): Promise<void> {
  await rm(file, { force: true });
}

export interface RunningProcess {
  pid: number;
  args: string[];
}

/** Returns false for zombie processes. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    return state !== 'Z';
  } catch (error) {
    // The system has no /proc, or the process ended in the meantime.
    return errorCode(error) === 'ENOENT' && process.platform !== 'linux';
  }
}

export async function findServersOf(databaseFile: string): Promise<RunningProcess[] | null> {
  return findServers((database) => database === databaseFile);
}

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
      // `ps` does not quote. The database file is the last argument, so that spaces in it are unambiguous.
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
      return [];
    }
  });
}

const killAfterMs = 10_000;

export async function stopProcess(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + killAfterMs;
  let forced = false;
  while (isProcessAlive(pid)) {
    if (!forced && Date.now() > deadline) {
      signalGroup(pid, 'SIGKILL');
      forced = true;
    }
    await sleep(20);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch (error) {
      // There is no such group, or the process has already ended.
      if (errorCode(error) !== 'ESRCH' && target === pid) throw error;
    }
  }
}
