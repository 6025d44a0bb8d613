import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from '../platform/private-files';
import { readServerRecord } from './server-record';

/** Names, for each port, the record of the folder's server that was last started there. */
const holders = (): string => join(tmpdir(), `colligate-port-holders-${userInfo().uid}`);

/**
 * Writes down that the server of `record` is at these ports. They stay its own while a process uses it, also after the
 * server itself has died: workers and clients wait at the address for its next start, and would work on the runs of
 * whichever server answered there instead.
 */
export async function holdPorts(ports: readonly number[], record: string): Promise<void> {
  makePrivateFolder(holders());
  await Promise.all(
    ports.map((port) => writeFile(join(holders(), String(port)), record, { mode: PRIVATE_FILE })),
  );
}

/** Whether users of another folder's server, which runs or has died, are at one of the ports. */
export async function areHeldByOthers(ports: readonly number[], record: string): Promise<boolean> {
  const held = await Promise.all(ports.map((port) => isHeldByAnother(port, record)));
  return held.includes(true);
}

async function isHeldByAnother(port: number, record: string): Promise<boolean> {
  const holder = await readFile(join(holders(), String(port)), 'utf8').catch(() => null);
  if (holder === null || holder === record) return false;
  const server = await readServerRecord(holder);
  return (
    server !== null &&
    server.users.length > 0 &&
    [server.address, server.uiUrl].some((address) => address.endsWith(`:${port}`))
  );
}
