import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/config';
import { makePrivateFolder } from '../platform/private-files';
import { findServerBinary } from './find-server-binary';
import { attach, locked, portsOf, runningServers, startAt, type FolderServer } from './folder-server';
import { foreignServer, useFolderServer, type RunningServer } from './running-server';
import { serverAnswers } from './server-probe';
import { readServerPorts, removeServerRecord, serverFiles, type ServerFiles } from './server-record';
import { usualPorts } from './spawn-server';
import { NoServerError } from './no-server-error';
import { stopProcess } from './stop-process';

type ServerConfig = Pick<Config, 'temporal' | 'dataDir' | 'cacheDir' | 'searchPath'>;

/**
 * The server to work with: the configured one, else the one that runs on the data directory's file, else a new one on
 * that file. Throws `UnreachableServerError`, `ServerBinaryError` or `ServerStartError`.
 */
export async function ensureServer(
  config: ServerConfig,
  options: { tell?: (message: string) => void } = {},
): Promise<RunningServer> {
  const { address, namespace } = config.temporal;
  if (address !== null) return foreignServer({ ...config.temporal, address });

  const files = await prepareFiles(config.dataDir);
  if (!isWritable(files.record)) return serverToRead(config, files, options);
  let binary: string | null = null;
  const startAgain = async (given: { address: string; uiUrl: string }): Promise<FolderServer> => {
    binary ??= (await findServerBinary({ ...config, ...options })).path;
    return startAt({ binary, files, namespace, ports: portsOf(given), mayMove: false });
  };
  const attached = await locked(files, () => attach(files));
  if (attached !== null) return useFolderServer(attached, files, startAgain);
  // Getting the program can take minutes: not under the lock, which others wait for.
  const { path } = await findServerBinary({ ...config, ...options });
  binary = path;
  const server = await locked(files, async () => {
    const ports = (await readServerPorts(files.ports)) ?? usualPorts;
    return (await attach(files)) ?? (await startAt({ binary: path, files, namespace, ports, mayMove: true }));
  });
  return useFolderServer(server, files, startAgain);
}

/** Stops the data directory's server, whoever uses it. False where none ran. */
export async function stopServer(dataDir: string): Promise<boolean> {
  const files = await prepareFiles(dataDir);
  return locked(files, async () => {
    const running = await runningServers(files);
    await Promise.all(running.map(({ pid }) => stopProcess(pid)));
    await removeServerRecord(files.record);
    return running.length > 0;
  });
}

/** The data directory's server where one runs and answers; starts and changes nothing. */
export async function findServer(dataDir: string): Promise<{ address: string; uiUrl: string } | null> {
  const files = await prepareFiles(dataDir);
  for (const { address, uiUrl } of await runningServers(files)) {
    if (await serverAnswers(address)) return { address, uiUrl };
  }
  return null;
}

/**
 * A server for a folder that can only be read: the one that runs there, as whose user nobody can be written down; else one of its
 * own on a copy of the folder's database, which goes with it. What it does to the copy is of no effect on any run.
 */
async function serverToRead(
  config: ServerConfig,
  files: ServerFiles,
  options: { tell?: (message: string) => void },
): Promise<RunningServer> {
  const running = await findServer(config.dataDir);
  if (running !== null) {
    const server = await foreignServer({ ...config.temporal, address: running.address });
    return { ...server, uiUrl: running.uiUrl };
  }
  if (!existsSync(files.database))
    throw new NoServerError(
      `No Temporal server runs for ${config.dataDir}, and none can be started there: this user may only read that folder.`,
    );
  const copy = await mkdtemp(join(tmpdir(), 'colligate-to-read-'));
  const remove = (): Promise<void> => rm(copy, { recursive: true, force: true });
  try {
    for (const file of await readdir(dirname(files.database)))
      // The database, and the files that SQLite has beside it.
      if (file.startsWith(basename(files.database)))
        await writeFile(join(copy, file), await readFile(join(dirname(files.database), file)));
    const server = await ensureServer({ ...config, dataDir: copy }, options);
    return { ...server, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function isWritable(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function prepareFiles(dataDir: string): Promise<ServerFiles> {
  makePrivateFolder(dataDir);
  // One directory under two names must not get two servers.
  return serverFiles(await realpath(dataDir));
}
