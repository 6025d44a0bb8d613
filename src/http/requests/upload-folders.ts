import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'colligate-upload-';
/** Prefixes of the other temporary folders: printed reports and probes of the disk. */
const OTHERS = ['colligate-print-', 'colligate-probe-'];
/** Age of a leftover, in milliseconds, if its name holds no process of this host. No request takes a day. */
const OLD_MS = 86_400_000;

/** Creates a folder for one upload. Its name holds host and process, so that a later start recognises leftovers. */
export function makeUploadFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}${hostname()}-${process.pid}-`));
}

/** Deletes temporary folders of killed processes. Skips a folder that it cannot delete. */
export async function sweepUploads(isProcessAlive: (pid: number) => boolean): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const isOurs = (name: string): boolean => [PREFIX, ...OTHERS].some((prefix) => name.startsWith(prefix));
  for (const name of names.filter(isOurs)) {
    const path = join(tmpdir(), name);
    if (await isLeftover(path, name, isProcessAlive))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isLeftover(
  path: string,
  name: string,
  isProcessAlive: (pid: number) => boolean,
): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isDirectory() || found.uid !== userInfo().uid) return false;
  const own = `${PREFIX}${hostname()}-`;
  const pid = name.startsWith(own) ? Number(/^\d+/.exec(name.slice(own.length))?.[0]) : NaN;
  if (Number.isNaN(pid)) return Date.now() - found.mtimeMs > OLD_MS;
  // In a container each process has the number of the one before it.
  if (pid === process.pid) return found.mtimeMs < Date.now() - process.uptime() * 1_000;
  return !isProcessAlive(pid);
}
