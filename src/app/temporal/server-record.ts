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
  /** The processes that use the server, one entry for each use; the last to leave stops it. */
  users: z.array(z.int().positive()),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

export interface ServerFiles {
  record: string;
  /** Outlives the server, which starts there again. */
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

/** The record with the users that are still alive; null where there is none or it cannot be understood. */
export async function readServerRecord(file: string): Promise<ServerRecord | null> {
  try {
    const record = ServerRecord.parse(JSON.parse(await readFile(file, 'utf8')));
    return { ...record, users: record.users.filter(isProcessAlive) };
  } catch {
    // A record is a note of what the running processes show as well: without a good one those are looked at.
    return null;
  }
}

/** The API's and the Web UI's port. */
const ServerPorts = z.tuple([z.int().min(1).max(65_535), z.int().min(1).max(65_535)]);
type ServerPorts = readonly [number, number];

/** Where the folder's server was last; null where it was nowhere yet, or it cannot be understood. */
export async function readServerPorts(file: string): Promise<ServerPorts | null> {
  try {
    return ServerPorts.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // The ports are a wish: without it the usual ones are as good.
    return null;
  }
}

/** So that an address that was told, or is waited at, is the one that the next server of the folder has. */
export async function writeServerPorts(file: string, ports: ServerPorts): Promise<void> {
  await writeWhole(file, ports);
}

/** Replaces the record as a whole, so that a crash leaves the old one or the new one. */
export async function writeServerRecord(file: string, record: ServerRecord): Promise<void> {
  await writeWhole(file, record);
}

async function writeWhole(file: string, value: unknown): Promise<void> {
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

const patienceMs = 10_000;

/** Ends a process and its group: first by asking, after ten seconds by force. Resolves when it is gone. */
export async function stopProcess(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + patienceMs;
  let forced = false;
  while (isProcessAlive(pid)) {
    if (!forced && Date.now() > deadline) {
      signalGroup(pid, 'SIGKILL');
      forced = true;
    }
    await sleep(20);
  }
}

/** A process that leads a group takes the group with it. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch (error) {
      // No such group, or none on this system; and a process that is gone already is what was wanted.
      if (errorCode(error) !== 'ESRCH' && target === pid) throw error;
    }
  }
}
