import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import {
  newProjectFolder,
  runCommand,
  spawnCommand,
  type SpawnedCommand,
} from '../../cli/command-line-under-test';
import { writeNotes } from '../../cli/notes';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { startTestServer, type TestServer } from '../../support/temporal-server';

describeWithRedis('hosts that share a Temporal server and a Redis server', () => {
  let temporal: TestServer;
  let redis: RedisServer;
  let hosts: [string, string];
  let env: Record<string, string>;
  const workers: SpawnedCommand[] = [];

  beforeAll(async () => {
    [temporal, redis] = await Promise.all([startTestServer(), startRedisServer()]);
    hosts = [await newProjectFolder(), await newProjectFolder()];
    env = { TEMPORAL_ADDRESS: temporal.address, REDIS_URL: redis.url, COLLIGATE_STORES: 'redis' };
  });
  afterAll(async () => {
    for (const { child } of workers) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    await Promise.all([temporal.stop(), redis.stop()]);
    for (const host of hosts) await rm(host, { recursive: true });
  });

  it('start runs from their own files, and read those of the others', async () => {
    const [mine, other] = hosts;
    await writeNotes(join(mine, 'notes'));
    const worker = spawnCommand(['worker'], { cwd: other, env });
    workers.push(worker);
    await worker.said(/Ctrl-C stops it/);
    const asked = ['report', 'Does exercise improve sleep?', '--sources', 'notes', '--id', 'shared'];
    const report = await runCommand(asked, { cwd: mine, env });
    expect(report.code).toBe(0);
    const shown = await Promise.all(hosts.map((cwd) => runCommand(['show', 'shared'], { cwd, env })));
    expect(shown[0]?.stdout).toContain('# ');
    expect(shown[1]).toEqual(shown[0]);
    const checked = await runCommand(['doctor'], { cwd: other, env });
    expect(checked.stdout).toMatch(/store\s+1 runs, \d+ stored texts/);
  });

  it('begin no work where Redis would lose it, and doctor says what to do', async () => {
    const [host] = hosts;
    await redis.configure('maxmemory-policy', 'allkeys-lru');
    try {
      const worker = await runCommand(['worker'], { cwd: host, env });
      expect(worker.code).toBe(1);
      expect(worker.stderr).toMatch(
        /The stores are not set up to keep runs: Redis at .*maxmemory-policy is allkeys-lru/,
      );
      expect(worker.stderr).not.toMatch(/ at .*\.js:\d+/);
      const checked = await runCommand(['doctor'], { cwd: host, env });
      expect(checked.stdout).toContain('Set maxmemory-policy to noeviction.');
      expect(checked.code).not.toBe(0);
    } finally {
      await redis.configure('maxmemory-policy', 'noeviction');
    }
  });

  it('are told of what may be lost when a worker starts', async () => {
    await redis.configure('appendfsync', 'no');
    const worker = spawnCommand(['worker'], { cwd: hosts[0], env });
    workers.push(worker);
    await worker.said(/appendfsync is no: a power cut loses/);
    await worker.said(/Ctrl-C stops it/);
  });

  it('are told without a stack trace, or the password, where Redis cannot be reached', async () => {
    const lost = { ...env, REDIS_URL: 'redis://user:s3cret-w0rd@127.0.0.1:1' };
    const { code, stderr } = await runCommand(['list'], { cwd: hosts[0], env: lost });
    expect(code).toBe(1);
    expect(stderr).toMatch(/The store in Redis at redis:\/\/127\.0\.0\.1:1 .*nothing listens there/);
    expect(stderr).not.toMatch(/s3cret|\.js:\d+/);
  });
});
