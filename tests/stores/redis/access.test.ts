import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePorts } from '../../../src/temporal/free-ports';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { refusal } from '../../support/refusal';
import { warning } from '../../support/run-events';
import { prepareRedis } from './redis-under-test';

const WORD = 'p@ss/w:rd';
const USER = `user:${encodeURIComponent(WORD)}@`;
const ROOT = resolve(__dirname, '../../..');

describeWithRedis('who may use a Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
    // As docs/stores.md has it.
    const rules = ['~{test-*', '&*', '+@all', '-@dangerous', '+info', '+config|get'];
    await server.command('ACL', 'SETUSER', 'user', 'on', `>${WORD}`, ...rules);
  });
  afterAll(() => server.stop());

  const refused = async (url: string): Promise<string> => {
    const fixture = await prepareRedis(url);
    const error = await refusal(fixture.connect(), Error);
    await fixture.dispose();
    expect(error.name).toBe('StoreOpenError');
    return `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`;
  };

  it('is who has the user and the password, in the database of the address', async () => {
    const fixture = await prepareRedis(`redis://${USER}127.0.0.1:${server.port}/3`);
    const stores = await fixture.connect();
    const ref = await stores.content.store('run', 'text');
    expect(await stores.content.retrieve(ref)).toBe('text');
    await stores.events.appendOnce('run', 'first', warning('one'));
    expect(await stores.content.statistics()).toMatchObject({ artifacts: 1 });
    expect(await stores.events.runs()).toEqual(['run']);
    expect(await stores.examine()).toEqual([]);
    await fixture.dispose();
    expect(String(await server.command('INFO', 'keyspace'))).toContain('db3:');
  });

  it('is nobody with a wrong password, and the message does not have it', async () => {
    const message = await refused(`redis://user:wr0ngw0rd@127.0.0.1:${server.port}/3`);
    expect(message).toContain(`The store in Redis at redis://127.0.0.1:${server.port}/3 (keys test-`);
    expect(message).toContain('cannot be opened: it refuses the user or the password. Check REDIS_URL');
    expect(message).not.toContain('wr0ngw0rd');
  });

  it('is told where nothing listens, and where there is no such host', async () => {
    expect(await refused(`redis://${USER}127.0.0.1:${(await findFreePorts())[0]}`)).toContain(
      'nothing listens there',
    );
    const unknown = await refused(`redis://${USER}no-such-host.invalid:6379`);
    expect(unknown).toMatch(/its name is not known/);
    expect(unknown).not.toContain('p@ss');
  });

  it('is told where a server wants a password and none is given', async () => {
    await server.command('ACL', 'SETUSER', 'default', 'off');
    expect(await refused(server.url)).toMatch(/wants a password|refuses the user/);
  });
});

describeWithRedis('a Redis server with TLS', () => {
  it('is reached by rediss: where its authority is trusted, and refused with what to do where it is not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colligate-tls-'));
    const key = join(folder, 'key.pem');
    const certificate = join(folder, 'certificate.pem');
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...subject], {
      stdio: 'ignore',
    });
    const [port] = await findFreePorts();
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    const server = await startRedisServer(['--tls-port', `${port}`, ...files, '--tls-auth-clients', 'no']);
    // Node reads NODE_EXTRA_CA_CERTS once, when a process starts.
    const openIn = (env: Record<string, string>) =>
      spawnSync(process.execPath, ['--import', 'tsx', join(__dirname, 'tls-writer.ts'), `${port}`], {
        cwd: ROOT,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
    try {
      expect(openIn({ NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({ stdout: 'kept\n' });
      const { stdout } = openIn({});
      expect(stdout).toMatch(/certificate is of nobody whom this machine trusts.*NODE_EXTRA_CA_CERTS/);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  });
});
