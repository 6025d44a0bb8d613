import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { parse } from 'yaml';
import { z } from 'zod';
import { findFreePorts } from '../../../src/app/temporal/spawn-server';
import { newProjectFolder, spawnCommand, type SpawnedCommand } from '../../cli/command-line-under-test';
import { jsonOf } from '../../support/http-bench';
import { describeWithRedis, type RedisServer, startRedisServer } from '../../support/services/redis-server';
import { openTestNamespace } from '../../support/temporal-server';
import { until, untilTrue } from '../../support/until';

const ROOT = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Service = z.looseObject({
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
});
const { services } = z
  .looseObject({ services: z.record(z.string(), Service) })
  .parse(parse(read('docker-compose.yml'), { merge: true }));

/** The settings of a file of the form that compose reads. */
function settingsOf(path: string): Record<string, string> {
  const lines = read(path).split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

const PASSWORD = 'a-secret';
const dotEnv = Object.fromEntries(
  Object.entries(settingsOf('deploy/example.env')).map(([name, value]) => [
    name,
    name.endsWith('_PASSWORD') ? PASSWORD : value,
  ]),
);

/** As compose replaces names of .env in its file. */
const interpolated = (text: string): string =>
  text
    .replace(/(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, how?: string, other = '') => {
      const value = dotEnv[name] ?? '';
      return value === '' && how === '-' ? String(other) : value;
    })
    .replaceAll('$$', '$');

describeWithRedis('the compose set-up, with the services as processes', () => {
  let folder: string;
  let redis: RedisServer;
  /** What stands in compose by the name of a service, and is on loopback here. */
  let places: [there: string, here: string][];
  let namespace: string;
  let http: SpawnedCommand;
  let worker: SpawnedCommand;
  let url: string;
  let authorization: string;

  const placed = (text: string): string =>
    places.reduce((sofar, [there, here]) => sofar.replaceAll(there, here), interpolated(text));

  function environmentOf(name: string): Record<string, string> {
    const { environment = {} } = services[name] ?? {};
    const all = Object.entries({ ...settingsOf('deploy/settings.env'), ...environment });
    const env = Object.fromEntries(all.map(([key, value]) => [key, placed(value)]));
    return { ...env, TEMPORAL_NAMESPACE: namespace };
  }

  /** A service with a command, in an empty folder. */
  function up(name: string, command = services[name]?.command ?? []): SpawnedCommand {
    return spawnCommand(command, { cwd: folder, env: environmentOf(name) });
  }

  /** Whether the health check of a service succeeds, as compose runs it. */
  async function isHealthy(name: string): Promise<boolean> {
    const [kind, ...words] = (services[name]?.healthcheck?.test ?? []).map(placed);
    const [program = '', ...args] = kind === 'CMD-SHELL' ? ['sh', '-c', ...words] : words;
    const env = { ...process.env, REDIS_PASSWORD: PASSWORD };
    const [code] = (await once(spawn(program, args, { stdio: 'ignore', env }), 'exit')) as [number];
    return code === 0;
  }

  const readiness = async (): Promise<string> => (await fetch(`${url}/readyz`)).text();

  beforeAll(async () => {
    folder = await newProjectFolder();
    const settings = read('deploy/redis.conf').matchAll(/^([\w-]+) (\S+)$/gm);
    redis = await startRedisServer([
      ...[...settings].flatMap(([, name = '', value = '']) => [`--${name}`, value]),
      ...['--requirepass', PASSWORD],
    ]);
    const server = await openTestNamespace();
    ({ namespace } = server);
    const [httpPort, healthPort] = await findFreePorts();
    places = [
      ['temporal:7233', server.address],
      ['@redis:6379', `@127.0.0.1:${redis.port}`],
      ['redis-cli ', `redis-cli -p ${redis.port} `],
      ['8787', `${httpPort}`],
      ['9464', `${healthPort}`],
    ];
    url = `http://127.0.0.1:${httpPort}`;
    worker = up('worker');
    http = up('http');
  });

  afterAll(async () => {
    await Promise.all([worker.kill(), http.kill()]);
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  test('all come up healthy, and without a token nobody is let in', async () => {
    for (const name of ['redis', 'worker', 'http']) await until(() => isHealthy(name));
    await until(readiness, (text) => text.includes('"ok"'));
    for (const path of ['/v1/runs', '/v1/tokens']) expect((await fetch(`${url}${path}`)).status).toBe(401);
    await http.said(/none is in force.*token make NAME --scope admin/);
  });

  /** Makes a token as the manual says. */
  async function makeToken(): Promise<void> {
    const [, line = ''] =
      /docker compose run --rm colligate (token make .*?)\s*(?:#|$)/m.exec(read('docs/operations.md')) ?? [];
    const made = await up('colligate', line.split(' ')).ended;
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^colligate_\S+\n$/) });
    authorization = `Bearer ${made.stdout.trim()}`;
  }

  test('a run is made and fetched with a token', async () => {
    await makeToken();
    const started = await fetch(`${url}/v1/runs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        kind: 'report',
        question: 'Does it help sleep?',
        sources: [{ title: 'A note', content: 'Sleep improved by 12 % in 40 adults.' }],
      }),
    });
    expect(started.status).toBe(201);
    const { runId } = await jsonOf<{ runId: string }>(started);
    const events = await fetch(`${url}/v1/runs/${runId}/events`, { headers: { authorization } });
    expect(await events.text()).toContain('event: run-completed');
    const result = await fetch(`${url}/v1/runs/${runId}/result?format=md`, { headers: { authorization } });
    expect(await result.text()).toContain('“Sleep improved by 12 % in 40 adults”');
    const form = new FormData();
    form.set('request', JSON.stringify({ kind: 'report', question: 'Does it help sleep?' }));
    form.set('files', new File(['Sleep improved by 12 % in 40 adults.'], 'note.md'));
    const uploaded = await fetch(`${url}/v1/runs`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    expect(uploaded.status).toBe(201);
  });

  test('readiness names a store that is full, a worker that is gone and a store that is away', async () => {
    const admin = new Redis(redis.port, '127.0.0.1', { password: PASSWORD });
    await admin.config('SET', 'maxmemory', '1');
    await until(readiness, (text) => text.includes('The store cannot be written: '));
    await admin.config('SET', 'maxmemory', '0');
    await until(readiness, (text) => text.includes('"ok"'));
    admin.disconnect();
    worker.stop('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    await until(readiness, (text) =>
      text.includes(
        'No worker polls the task queue colligate. No worker polls the task queue colligate-computing.',
      ),
    );
    await redis.kill();
    await until(readiness, (text) => /The store (?:does not answer|cannot be written)/.test(text));
    expect(await isHealthy('http')).toBe(true);
    await redis.restart();
    await until(readiness, (text) => !text.includes('store'));
  });

  test('nobody is let in once the store is emptied, until a token is made', async () => {
    const admin = new Redis(redis.port, '127.0.0.1', { password: PASSWORD });
    await admin.flushall();
    admin.disconnect();
    const body = JSON.stringify({ owner: 'eve', scope: 'admin' });
    const headers = { 'content-type': 'application/json' };
    const shown: Record<string, string>[] = [{}, { authorization }];
    for (const more of shown) {
      const made = await fetch(`${url}/v1/tokens`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body,
      });
      expect(made.status).toBe(401);
      expect((await fetch(`${url}/v1/runs`, { headers: more })).status).toBe(401);
    }
    await makeToken();
    expect((await fetch(`${url}/v1/runs`, { headers: { authorization } })).status).toBe(200);
  });

  test('SIGTERM lets an upload under way finish, and leaves no file', async () => {
    const uploads = (): string[] => readdirSync(tmpdir()).filter((name) => name.includes(`-${http.pid}-`));
    const asking = request(`${url}/v1/runs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'multipart/form-data; boundary=b' },
    });
    const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
    const asked = JSON.stringify({ kind: 'report', question: 'Does it help sleep?' });
    asking.write(
      [
        '--b\r\ncontent-disposition: form-data; name="request"',
        `${asked}\r\n--b\r\ncontent-disposition: form-data; name="files"; filename="note.md"`,
        'Sleep improved by 12 % in 40 adults.',
      ].join('\r\n\r\n'),
    );
    await untilTrue(() => uploads().length === 1);
    http.stop('SIGTERM');
    await http.said('requests under way finish');
    asking.end('\r\n--b--\r\n');
    const [answer] = await answered;
    expect(answer.resume().statusCode).toBe(201);
    expect((await http.ended).code).toBe(0);
    expect(uploads()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
