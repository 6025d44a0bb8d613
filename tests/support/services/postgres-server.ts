import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, cp, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../../src/platform/error-message';

/** Where Debian puts the versions. */
const INSTALLED = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; this user has nothing to lose. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The folder with the programs; null where PostgreSQL is not to be had. */
function postgresBin(): string | null {
  const given = process.env['TEST_POSTGRES_BIN'];
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [given ?? [], versions.map((version) => join(INSTALLED, version, 'bin'))].flat();
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** A cluster's files, and as whom its programs run. */
export interface Cluster {
  /** The path of `postgres`. */
  program: string;
  data: string;
  user: Partial<typeof NOBODY>;
}

/** The cluster in the folder, made where there is none. */
export async function openCluster(
  folder: string,
  { user: name, password }: { user: string; password: string },
): Promise<Cluster> {
  const user = process.getuid?.() === 0 ? NOBODY : {};
  if (user === NOBODY) await giveTo(NOBODY, folder);
  const bin = await runnable(folder, user);
  const data = join(folder, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user === NOBODY) await chown(passwordFile, NOBODY.uid, NOBODY.gid);
    const initdb = ['-D', data, '-U', name, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    try {
      await promisify(execFile)(join(bin, 'initdb'), [...initdb, '-E', 'UTF8', '--locale=C'], {
        ...user,
        cwd: folder,
      });
    } catch (error) {
      const last = errorMessage(error).trim().split('\n').at(-1);
      throw new Error(`PostgreSQL cannot make its files: ${last}`, { cause: error });
    } finally {
      await rm(passwordFile);
    }
  }
  return { program: join(bin, 'postgres'), data, user };
}

/** The programs, copied to where another user may run them if they lie in a folder of root's alone. */
async function runnable(folder: string, user: Partial<typeof NOBODY>): Promise<string> {
  const bin = postgresBin();
  if (bin === null) throw new Error('PostgreSQL is not installed, and TEST_POSTGRES_BIN names no other.');
  try {
    await promisify(execFile)(join(bin, 'postgres'), ['--version'], { ...user, cwd: folder });
    return bin;
  } catch {
    const copy = join(folder, 'programs');
    await cp(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
    await chmod(copy, 0o755);
    return join(copy, basename(bin));
  }
}

/** Whether a server accepts connections, by its own `pg_isready`. */
export async function postgresAnswers(host: string, port: string): Promise<boolean> {
  const program = join(postgresBin() ?? '', 'pg_isready');
  return promisify(execFile)(program, ['-h', host, '-p', port]).then(
    () => true,
    () => false,
  );
}

async function giveTo({ uid, gid }: typeof NOBODY, folder: string): Promise<void> {
  await chown(folder, uid, gid);
  // Another user must come through to it.
  const { mode } = await stat(dirname(folder));
  await chmod(dirname(folder), mode | 0o011);
}
