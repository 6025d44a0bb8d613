import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { errorMessage } from '../../../src/platform/error-message';
import { findFreePorts } from '../../../src/temporal/free-ports';
import { until } from '../until';
import { describeWhere } from './describe-where';

/** A real PostgreSQL cluster in a folder of its own, on loopback; its address stays the same over a restart. */
export interface PostgresServer {
  /** Of the superuser, with its password. */
  url: string;
  port: number;
  folder: string;
  /** Ends it with SIGKILL, as a crash would; resolves when it is gone. */
  kill(): Promise<void>;
  /** Ends it in order, without waiting for connections. */
  stop(): Promise<void>;
  /** Starts it on the same files, with settings beside those it has. */
  start(settings?: Record<string, string>): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

export const POSTGRES_USER = 'colligate';
export const POSTGRES_PASSWORD = 'a word with / and @';

/** Where Debian puts the versions. */
const INSTALLED = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; this user has nothing to lose. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The folder with the programs; null where PostgreSQL is not to be had. */
export function postgresBin(): string | null {
  const given = process.env['TEST_POSTGRES_BIN'];
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [given ?? [], versions.map((version) => join(INSTALLED, version, 'bin'))].flat();
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** A group of tests that is skipped where there is no PostgreSQL; `npm test` knows by its title why. */
export function describeWithPostgres(body: () => void): void {
  describeWhere(
    postgresBin() !== null,
    `PostgreSQL (of TEST_POSTGRES_BIN or ${INSTALLED})`,
    'on PostgreSQL',
    body,
  );
}

/** Makes a cluster and starts it. */
export function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  return makeCluster(settings);
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
  { user: name, password, flags = [] }: { user: string; password: string; flags?: readonly string[] },
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
      await promisify(execFile)(join(bin, 'initdb'), [...initdb, '-E', 'UTF8', '--locale=C', ...flags], {
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

async function makeCluster(settings: Record<string, string>): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-postgres-'));
  const { program, data, user } = await openCluster(folder, {
    user: POSTGRES_USER,
    password: POSTGRES_PASSWORD,
    // Without it a machine under load makes every file of the cluster safe for seconds.
    flags: ['--no-sync'],
  });
  const [port] = await findFreePorts();
  const url = `postgres://${POSTGRES_USER}:${encodeURIComponent(POSTGRES_PASSWORD)}@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = running;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill(signal);
    await gone;
  }

  const server: PostgresServer = {
    url,
    port,
    folder,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    async start(more = {}) {
      const options = { listen_addresses: '127.0.0.1', port: String(port), ...settings, ...more };
      const given = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const log: string[] = [];
      running = spawn(program, ['-D', data, '-k', folder, ...given], {
        ...user,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      running.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
      const child = running;
      const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
      await until(
        async () => ((await postgresAnswers(url)) ? 'answers' : ended() ? log.join('') : 'starting'),
        (state) => state === 'answers' || ended(),
      );
      if (ended()) throw new Error(`PostgreSQL ended at its start: ${log.join('')}`);
    },
    async remove() {
      await end('SIGQUIT');
      await rm(folder, { recursive: true });
    },
  };
  await server.start();
  return server;
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

/** Throws where it refuses the password. */
export async function postgresAnswers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (errorMessage(error).includes('password')) throw error;
    return false;
  } finally {
    await client.end();
  }
}

async function giveTo({ uid, gid }: typeof NOBODY, folder: string): Promise<void> {
  await chown(folder, uid, gid);
  // Another user must come through to it.
  const { mode } = await stat(dirname(folder));
  await chmod(dirname(folder), mode | 0o011);
}
