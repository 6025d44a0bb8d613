import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PRIVATE_FILE } from '../platform/private-files';
import { isProcessAlive } from './process-of-server';

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
