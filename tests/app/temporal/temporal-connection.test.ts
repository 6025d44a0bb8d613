import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { type Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { loadConfig } from '../../../src/app/config';
import {
  describePollers,
  neededQueues,
  type TaskQueuePollers,
  unpolledQueues,
} from '../../../src/app/queue-pollers';
import { payloadCodec } from '../../../src/app/temporal/payload-encryption';
import { connectClient } from '../../../src/app/temporal/temporal-connection';
import { registerSearchAttributes } from '../../../src/app/temporal/temporal-server';
import { PayloadKeyError } from '../../../src/client/client-errors';
import {
  ColligateCitations,
  ColligateKind,
  ColligatePass,
  ColligateScore,
  ColligateStatus,
  searchAttributeKeys,
} from '../../../src/workflows/search-attributes';
import { startTestServer, type TestServer } from '../../support/temporal-server';

const namespace = 'default';

describe('encryption codec', () => {
  const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;

  const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;

  /** Another key under the same id. */
  const FALSE = `old:${Buffer.alloc(32, 3).toString('base64')}`;

  function codecOf(...keys: string[]): ReturnType<typeof payloadCodec> {
    const env = keys.length === 0 ? {} : { COLLIGATE_ENCRYPTION_KEYS: keys.join(',') };
    return payloadCodec(loadConfig({ cwd: '/', env }));
  }

  const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);

  async function throughOne(
    codec: ReturnType<typeof codecOf>,
    way: 'encode' | 'decode',
    given: Payload,
  ): Promise<Payload> {
    const [result] = await codec[way]([given]);
    if (result === undefined) throw new Error('one payload in, one out');
    return result;
  }

  function metadataOf({ metadata }: Payload): Record<string, string> {
    return Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString()]),
    );
  }

  it('hides a payload and says of it what is needed to open it', async () => {
    const codec = codecOf(OLD);
    const encrypted = await throughOne(codec, 'encode', payload({ question: 'a canary' }));
    expect(metadataOf(encrypted)).toEqual({
      encoding: 'binary/encrypted',
      'encryption-cipher': 'AES/GCM',
      'encryption-key-id': 'old',
    });
    expect(Buffer.from(encrypted.data ?? []).toString('latin1')).not.toContain('canary');
    const opened = await throughOne(codec, 'decode', encrypted);
    expect(defaultPayloadConverter.fromPayload(opened)).toEqual({ question: 'a canary' });
  });

  it('never makes the same of the same', async () => {
    const codec = codecOf(OLD);
    const [one, other] = await codec.encode([payload('again'), payload('again')]);
    expect(one?.data).not.toEqual(other?.data);
  });

  it('encrypts with the first key, and opens with all of them', async () => {
    const before = await throughOne(codecOf(OLD), 'encode', payload('before'));
    const rotated = codecOf(NEW, OLD);
    expect(defaultPayloadConverter.fromPayload(await throughOne(rotated, 'decode', before))).toBe('before');
    expect(metadataOf(await throughOne(rotated, 'encode', payload('after')))['encryption-key-id']).toBe(
      'new',
    );
  });

  it('leaves what is not encrypted as it is, and without keys encrypts nothing', async () => {
    const plain = payload('from before');
    expect(await throughOne(codecOf(OLD), 'decode', plain)).toEqual(plain);
    expect(await throughOne(codecOf(), 'encode', plain)).toEqual(plain);
  });

  it.each([
    ['with other keys', [NEW], 'not among the keys here'],
    ['without keys', [], 'no encryption keys are set here'],
    ['with another key under the id', [FALSE], 'another key has the same id'],
  ])('says which key is missing %s', async (_, keys, why) => {
    const encrypted = await throughOne(codecOf(OLD), 'encode', payload('lost'));
    const failure = codecOf(...keys).decode([encrypted]);
    await expect(failure).rejects.toThrow(PayloadKeyError);
    await expect(failure).rejects.toThrow(why);
    await expect(failure).rejects.toThrow('"old"');
  });

  it('refuses a payload whose text, tag or key id was exchanged', async () => {
    const twice = codecOf(OLD, `twin:${Buffer.alloc(32, 1).toString('base64')}`);
    const encrypted = await throughOne(twice, 'encode', payload('whole'));
    const data = Buffer.from(encrypted.data ?? []);
    const changed = [0, 12, data.length - 1].map((place) => {
      const bytes = Buffer.from(data);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      return { ...encrypted, data: bytes };
    });
    const renamed = {
      ...encrypted,
      metadata: { ...encrypted.metadata, 'encryption-key-id': Buffer.from('twin') },
    };
    for (const bad of [
      ...changed,
      renamed,
      { ...encrypted, data: data.subarray(0, 20) },
      { ...encrypted, data: null },
    ])
      await expect(twice.decode([bad])).rejects.toThrow(PayloadKeyError);
  });
});

describe('pollers of a task queue', () => {
  let server: TestServer;

  let connection: Connection;

  beforeAll(async () => {
    server = await startTestServer();
    ({ connection } = await connectClient({ ...loadConfig().temporal, address: server.address }));
  });

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  /** Polls as a worker of that name does, until the server has noticed. */
  async function pollAs(identity: string, taskQueue: string): Promise<TaskQueuePollers> {
    // Without the interceptors, which would ask again after the abort.
    const worker = await Connection.connect({ address: server.address, interceptors: [] });
    const stop = new AbortController();
    const poll = worker
      .withAbortSignal(stop.signal, () =>
        // The server refuses a poll without a deadline.
        worker.withDeadline(Date.now() + 60_000, () =>
          worker.workflowService.pollWorkflowTaskQueue({
            namespace,
            taskQueue: { name: taskQueue },
            identity,
          }),
        ),
      )
      .catch(() => undefined);
    for (;;) {
      const pollers = await describePollers(connection, { namespace, taskQueue, kinds: ['workflows'] });
      if (pollers.lastSeenAt !== null) {
        stop.abort();
        await poll;
        await worker.close();
        return pollers;
      }
    }
  }

  test('a worker that polls is seen', async () => {
    const identity = `${process.pid}@${hostname()}`;
    expect(await pollAs(identity, 'living')).toMatchObject({ hasWorker: true, identities: [identity] });
  });

  test('a worker of this machine whose process is gone does not count, though the server remembers it', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const pollers = await pollAs(`${pid}@${hostname()}`, 'dead');
    expect(pollers).toMatchObject({ hasWorker: false, identities: [] });
    expect(pollers.lastSeenAt).toBeInstanceOf(Date);
  });

  test('a worker that has not asked for longer than a poll takes does not count', async () => {
    const identity = 'elsewhere';
    expect(await pollAs(identity, 'gone')).toMatchObject({ hasWorker: true });
    const later = await describePollers(connection, {
      namespace,
      taskQueue: 'gone',
      kinds: ['workflows'],
      now: new Date(Date.now() + 100_000),
    });
    expect(later).toMatchObject({ hasWorker: false, identities: [] });
  });

  test('a run needs more than a worker for its workflow: activities, and the models where it asks any', async () => {
    await pollAs('elsewhere', 'workflows-only');
    const unpolled = (asksModels: boolean): Promise<string[]> =>
      unpolledQueues(connection, { namespace, queues: neededQueues('workflows-only', { asksModels }) });
    expect(await unpolled(false)).toEqual(['workflows-only', 'workflows-only-computing']);
    expect(await unpolled(true)).toEqual([
      'workflows-only',
      'workflows-only-computing',
      'workflows-only-models',
    ]);
  });
});

describe('search attributes', () => {
  let server: TestServer;

  let connection: Connection;

  let client: Client;

  beforeAll(async () => {
    server = await startTestServer();
    ({ connection, client } = await connectClient({ ...loadConfig().temporal, address: server.address }));
  });

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  async function startWithAttributes(workflowId: string): Promise<void> {
    await client.workflow.start('anything', {
      workflowId,
      taskQueue: 'nobody',
      typedSearchAttributes: [
        { key: ColligateKind, value: 'report' },
        { key: ColligateStatus, value: 'running' },
        { key: ColligatePass, value: 2 },
        { key: ColligateCitations, value: 57 },
        { key: ColligateScore, value: 0.8 },
      ],
    });
  }

  async function forgetAll(): Promise<void> {
    await connection.operatorService.removeSearchAttributes({
      namespace,
      searchAttributes: searchAttributeKeys.map(({ name }) => name),
    });
  }

  test('a server that we start knows the attributes from its first moment', async () => {
    expect(await registerSearchAttributes(connection, namespace)).toEqual({ available: true, reason: null });
    await startWithAttributes('first');
    const description = await client.workflow.getHandle('first').describe();
    expect(description.typedSearchAttributes.get(ColligateCitations)).toBe(57);
    expect(description.typedSearchAttributes.get(ColligateScore)).toBe(0.8);
  });

  test('missing attributes are registered, and a run can start with them at once', async () => {
    await forgetAll();
    expect(await registerSearchAttributes(connection, namespace)).toEqual({ available: true, reason: null });
    await startWithAttributes('second');
    await expect(client.workflow.getHandle('second').describe()).resolves.toMatchObject({
      workflowId: 'second',
    });
  });

  test('an attribute of another type means running without', async () => {
    await connection.operatorService.removeSearchAttributes({
      namespace,
      searchAttributes: [ColligatePass.name],
    });
    // 1 is the protocol's number for text.
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [ColligatePass.name]: 1 },
    });
    expect(await registerSearchAttributes(connection, namespace)).toEqual({
      available: false,
      reason: 'the server knows ColligatePass as an attribute of another type',
    });
  });

  test('a server that refuses means running without, and says why', async () => {
    const result = await registerSearchAttributes(connection, 'no-such-namespace');
    expect(result.available).toBe(false);
    expect(result.reason).toContain('no-such-namespace');
  });
});

describe('a closed connection', () => {
  test('a pending retry is cancelled when the connection closes, without an unhandled rejection', async () => {
    const server = await startTestServer();
    const { namespace, address } = server;
    const { connection } = await connectClient({ namespace, address, apiKey: null, tls: false });
    await server.stop();
    const asked = connection.workflowService.getSystemInfo({});
    await connection.close();
    await expect(asked).rejects.toMatchObject({ details: 'Channel has been shut down' });
    await expect(
      (async () => {
        await connection.workflowService.getSystemInfo({});
      })(),
    ).rejects.toThrow('Channel has been shut down');
  });
});
