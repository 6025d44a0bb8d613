import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../../src/config/config';

const ROOT = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Variables = z.record(z.string(), z.string());
const Settings = z.object({
  postgres: z.object({ arguments: z.array(z.string()) }),
  redis: z.object({ configuration: z.array(z.string()) }),
  databases: z.object({ script: z.string(), environment: Variables }),
  schema: z.object({ script: z.string(), environment: Variables }),
  namespace: z.object({ script: z.string(), environment: Variables }),
  temporal: z.object({ environment: Variables }),
  worker: z.object({ environment: Variables }),
  http: z.object({ environment: Variables }),
  client: z.object({ environment: Variables }),
});
const Compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: Variables.default({}),
      volumes: z.array(z.string()).default([]),
      env_file: z.string().optional(),
    }),
  ),
});

function topology(args: string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [join(ROOT, 'scripts/topology.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

const { services } = Compose.parse(parse(read('docker-compose.yml'), { merge: true }));
const shared = Object.fromEntries(
  [...read('deploy/settings.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);

describe('the native topology and docker-compose.yml', () => {
  const { stdout, status } = topology(['--settings']);
  const native = Settings.parse(status === 0 ? JSON.parse(stdout.slice(stdout.indexOf('{'))) : {});

  it('read the same files of deploy/', () => {
    // There is no proxy natively.
    const { proxy: _proxy, ...ours } = services;
    const mounted = Object.values(ours).flatMap(({ volumes }) =>
      volumes
        .filter((volume) => volume.startsWith('./deploy/'))
        .map((volume) => basename(volume.split(':')[0] ?? '')),
    );
    const included = /^include (.*)$/m.exec(native.redis.configuration.join('\n'))?.[1] ?? '';
    const { databases, schema, namespace, temporal } = native;
    const used = [databases.script, schema.script, namespace.script, included].map((path) => basename(path));
    expect([...used, basename(temporal.environment['DYNAMIC_CONFIG_FILE_PATH'] ?? '')].sort()).toEqual(
      mounted.sort(),
    );
    for (const service of ['temporal', 'temporal-namespace', 'worker', 'http', 'colligate'])
      expect(services[service]?.env_file).toBe('deploy/settings.env');
    for (const part of [native.temporal, native.namespace, native.worker, native.http, native.client])
      expect(part.environment).toMatchObject(shared);
  });

  it('have the same settings, but for addresses', () => {
    const pairs = [
      [native.databases, 'postgres'],
      [native.schema, 'temporal-schema'],
      [native.temporal, 'temporal'],
      [native.namespace, 'temporal-namespace'],
      [native.worker, 'worker'],
      [native.http, 'http'],
      [native.client, 'colligate'],
    ] as const;
    const differing = pairs.flatMap(([{ environment }, service]) =>
      Object.entries(services[service]?.environment ?? {})
        .filter(
          ([name, value]) =>
            environment[name] !== value.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, ofVariable),
        )
        .map(([name]) => name),
    );
    expect([...new Set(differing)].sort()).toEqual([
      'BIND_ON_IP',
      'COLLIGATE_DATA_DIR',
      'COLLIGATE_HTTP_HOST',
      'COLLIGATE_HTTP_PORT',
      'COLLIGATE_WORKER_HTTP_HOST',
      'COLLIGATE_WORKER_HTTP_PORT',
      'DB_PORT',
      'DYNAMIC_CONFIG_FILE_PATH',
      'POSTGRES_SEEDS',
      'PROMETHEUS_ENDPOINT',
      'REDIS_URL',
      'SQL_HOST',
      'SQL_PORT',
      'TEMPORAL_ADDRESS',
    ]);
    // What compose says on the command line is there as well.
    expect(native.postgres.arguments).toEqual(
      expect.arrayContaining(z.array(z.string()).parse(services['postgres']?.['command']).slice(1)),
    );
  });

  it('contradict deploy/ nowhere', () => {
    for (const { environment } of Object.values(services))
      for (const name of Object.keys(environment).filter((name) => name in shared))
        expect(environment[name]).toBe(shared[name]);
  });

  it('give the native parts nothing outside loopback, and settings that are good', () => {
    expect(JSON.stringify(native)).not.toMatch(/0\.0\.0\.0|@redis:/);
    for (const { environment } of [native.worker, native.http, native.client]) {
      const env = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, value.replace(/<\w+>/g, 'secret')]),
      );
      expect(loadConfig({ cwd: ROOT, env })).toMatchObject({ stores: 'redis' });
    }
  });

  it('have room in PostgreSQL for all connections of a server', () => {
    const most = Number(/max_connections=(\d+)/.exec(native.postgres.arguments.join(' '))?.[1]);
    // Four services of the server with 20 and 10 each.
    expect(most).toBeGreaterThanOrEqual(4 * (20 + 10) + 10);
  });
});

/** As the topology names secrets where it only shows settings; what has a default in compose has that. */
function ofVariable(given: string, name: string, or = ''): string {
  return given.includes(':-') ? or : `<${name}>`;
}

describe('scripts/topology.mjs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'topology-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('explains itself where it is called wrongly', () => {
    const { status, stderr } = topology(['--keeep']);
    expect(status).toBe(2);
    expect(stderr).toContain('node scripts/topology.mjs [--keep]');
    expect(stderr).not.toMatch(/ at .*\.mjs:/);
  });

  it('says in one line that there is no Go, starts nothing, and ends well only where that was allowed', () => {
    const env = { COLLIGATE_CACHE_DIR: folder, PATH: folder, GOROOT: folder };
    const refused = topology([], env);
    expect(refused.stderr).toContain('is built with Go, and there is none on PATH. Install Go');
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect(refused.status).toBe(1);
    const skipped = topology(['--skip-without-server'], env);
    expect(skipped.stdout).toContain('Topology skipped: ');
    expect(skipped.status).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});
