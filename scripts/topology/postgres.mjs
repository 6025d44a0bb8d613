// PostgreSQL on files of its own, with the databases of deploy/postgres-databases.sh.
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { untilReady } from './parts.mjs';
import { runScript } from './run-script.mjs';

const { Client } = createRequire(import.meta.url)('pg');
const execute = promisify(execFile);
/** PostgreSQL refuses to run as root; this user has nothing to lose. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export async function startPostgres({ parts, folder, bin, settings, databases, logs }) {
  const own = join(folder, 'postgres');
  const user = process.getuid?.() === 0 ? NOBODY : {};
  mkdirSync(own, { recursive: true, mode: 0o700 });
  if (user === NOBODY) chownSync(own, user.uid, user.gid);
  const programs = await runnable({ bin, own, user });
  const data = join(own, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) await makeCluster({ programs, own, data, user, databases });
  const part = parts.start('postgres', join(programs, 'postgres'), ['-D', data, ...settings.arguments], {
    cwd: own,
    user,
    stopSignal: 'SIGINT', // in order, without waiting for connections
  });
  const { PGHOST, PGPORT, PGPASSWORD, POSTGRES_USER } = databases.environment;
  const address = { host: PGHOST, port: Number(PGPORT), user: POSTGRES_USER, password: PGPASSWORD };
  await untilReady(part, () => answers(address));
  await runScript(databases.script, {
    env: { ...databases.environment, PATH: `${bin}:${process.env.PATH}` },
    log: join(logs, 'postgres-databases.log'),
    signal: parts.stopping,
  });
  return part;
}

async function makeCluster({ programs, own, data, user, databases }) {
  const { POSTGRES_USER, PGPASSWORD } = databases.environment;
  const passwordFile = join(own, 'password');
  writeFileSync(passwordFile, PGPASSWORD, { mode: 0o600 });
  if (user === NOBODY) chownSync(passwordFile, user.uid, user.gid);
  const options = ['-U', POSTGRES_USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  try {
    await execute(join(programs, 'initdb'), ['-D', data, ...options, '--locale=C'], { ...user, cwd: own });
  } catch (error) {
    throw new Error(`PostgreSQL cannot make its files: ${error.stderr.trim().split('\n').at(-1)}`, {
      cause: error,
    });
  } finally {
    rmSync(passwordFile);
  }
}

/** The programs, copied to where another user may run them if they lie in a folder of root's alone. */
async function runnable({ bin, own, user }) {
  try {
    await execute(join(bin, 'postgres'), ['--version'], { ...user, cwd: own });
    return bin;
  } catch {
    const copy = join(own, 'programs');
    cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(copy, 0o755);
    return join(copy, basename(bin));
  }
}

async function answers(address) {
  const client = new Client({ ...address, database: 'postgres' });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error.code === '28P01')
      throw new Error('PostgreSQL refuses the password of its folder', { cause: error });
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
