import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { COMMAND_LINE } from '../../cli/command-line-under-test';
import { openCluster, postgresAnswers } from '../../support/services/postgres-server';
import { redisAnswers } from '../../support/services/redis-server';
import type { PartSettings } from './part-settings';
import type { Part, Parts } from './parts';

/** The folders and files of programs. */
export interface Programs {
  /** Has `server`, `sql`, `config` and `schema` of the Temporal server. */
  temporal: string;
  /** Temporal's command line. */
  cli: string;
  /** Has `postgres` and its tools. */
  postgres: string;
  redis: string;
}

/** What the parts are started with. */
export interface Site {
  parts: Parts;
  folder: string;
  programs: Programs;
  settings: PartSettings;
  /** Where programs that were got are kept. */
  cacheDir: string;
}

/** A worker with the address at which it tells how it is. */
export interface WorkerPart extends Part {
  healthUrl: string;
}

/** Pages and HTTP, with a token that may do everything there. */
export interface HttpPart extends Part {
  url: string;
  token: string;
}

/** PostgreSQL on files of its own, with the databases of deploy/postgres-databases.sh. */
export async function startPostgres({ parts, folder, programs, settings }: Site): Promise<Part> {
  const own = join(folder, 'postgres');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const { environment, script } = settings.databases;
  const { PGHOST = '', PGPORT = '', PGPASSWORD = '', POSTGRES_USER = '' } = environment;
  const { program, data, user } = await openCluster(own, { user: POSTGRES_USER, password: PGPASSWORD });
  const part = parts.start('postgres', program, ['-D', data, ...settings.postgres.arguments], {
    cwd: own,
    user,
    stopSignal: 'SIGINT', // in order, without waiting for connections
  });
  await part.untilReady(() => postgresAnswers(PGHOST, PGPORT));
  const path = `${programs.postgres}:${process.env['PATH'] ?? ''}`;
  await parts.prepare('postgres-databases', script, { ...environment, PATH: path });
  return part;
}

/** Redis on deploy/redis.conf. */
export async function startRedis({ parts, folder, programs, settings }: Site): Promise<Part> {
  // With the password in it: a command line can be read by everybody on the machine.
  const file = join(folder, 'redis.conf');
  writeFileSync(file, `${settings.redis.configuration.join('\n')}\n`, { mode: 0o600 });
  const part = parts.start('redis', programs.redis, [file], { cwd: join(folder, 'redis') });
  await part.untilReady(() => redisAnswers(settings.client.environment['REDIS_URL'] ?? ''));
  return part;
}

/** The Temporal server: its tables, its four services in one process, the namespace. */
export async function startTemporal({ parts, folder, programs, settings }: Site): Promise<Part> {
  const { schema, temporal, namespace } = settings;
  await parts.prepare('temporal-schema', schema.script, {
    ...schema.environment,
    TEMPORAL_SQL_TOOL: join(programs.temporal, 'sql'),
    TEMPORAL_SCHEMA: join(programs.temporal, 'schema'),
  });
  const where = ['--root', programs.temporal, '--config', 'config', '--env', 'docker'];
  const part = parts.start(
    'temporal',
    join(programs.temporal, 'server'),
    [...where, '--allow-no-auth', 'start'],
    { cwd: folder, env: { ...temporal.environment, LOG_LEVEL: 'warn' } },
  );
  const address = namespace.environment['TEMPORAL_ADDRESS'] ?? '';
  await part.untilReady(async () => {
    try {
      await (await Connection.connect({ address, connectTimeout: 2_000 })).close();
      return true;
    } catch {
      return false;
    }
  });
  await parts.prepare('temporal-namespace', namespace.script, {
    ...namespace.environment,
    TEMPORAL_CLI: programs.cli,
  });
  return part;
}

/** A worker of Colligate; ready by its own word. */
export async function startWorker(
  { parts, folder, settings, cacheDir }: Site,
  number: number,
): Promise<WorkerPart> {
  const cwd = join(folder, `worker-${number}`);
  const env = {
    ...settings.worker.environment,
    COLLIGATE_DATA_DIR: join(cwd, 'data'),
    COLLIGATE_CACHE_DIR: cacheDir,
  };
  const command = [COMMAND_LINE, 'worker', '--json'];
  const part = parts.start(`worker ${number}`, process.execPath, command, { cwd, env, isHeard: true });
  let healthUrl = '';
  await part.untilReady(async () => {
    healthUrl = /"healthUrl": ?"([^"]+)"/.exec(part.printed())?.[1] ?? '';
    return healthUrl !== '' && (await fetch(`${healthUrl}/readyz`)).ok;
  });
  return { ...part, healthUrl };
}

/** Pages and HTTP, for whoever has a token. */
export async function startHttp({ parts, folder, settings, cacheDir }: Site): Promise<HttpPart> {
  const cwd = join(folder, 'http');
  const env = {
    ...settings.http.environment,
    COLLIGATE_DATA_DIR: join(cwd, 'data'),
    COLLIGATE_CACHE_DIR: cacheDir,
  };
  const made = await promisify(execFile)(
    process.execPath,
    [COMMAND_LINE, 'token', 'make', 'topology', '--scope', 'admin', '--json'],
    { cwd, env: { ...process.env, ...env } },
  );
  const { token } = JSON.parse(made.stdout) as { token: string };
  const command = [COMMAND_LINE, 'serve', '--json'];
  const part = parts.start('http', process.execPath, command, { cwd, env, isHeard: true });
  let url = '';
  await part.untilReady(async () => {
    url = /"url": ?"([^"]+)"/.exec(part.printed())?.[1] ?? '';
    return url !== '' && (await fetch(`${url}/readyz`)).ok;
  });
  return { ...part, url, token };
}
