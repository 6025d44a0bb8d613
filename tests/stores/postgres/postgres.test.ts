import { ApplicationFailure } from '@temporalio/common';
import { Client } from 'pg';
import { asActivityFailure } from '../../../src/activities/shared/activity-failure';
import { Secret } from '../../../src/platform/secret';
import { openStores, storesExist } from '../../../src/stores/open-stores';
import { DatabaseOpenError, DatabaseWriteError } from '../../../src/stores/postgres/database-errors';
import type { Stores } from '../../../src/stores/stores';
import {
  describeWithPostgres,
  POSTGRES_PASSWORD,
  type PostgresServer,
  startPostgres,
} from '../../support/services/postgres-server';
import { prepareLmdb } from '../lmdb-under-test';

describe('PostgreSQL stores', () => {
  describeWithPostgres(() => {
    let server: PostgresServer;
    let files: Awaited<ReturnType<typeof prepareLmdb>>;
    const opened: Stores[] = [];
    beforeAll(async () => {
      server = await startPostgres();
      files = await prepareLmdb();
    });
    afterEach(async () => {
      for (const stores of opened.splice(0)) await stores.close();
    });
    afterAll(async () => {
      await server.remove();
      await files.dispose();
    });

    const settings = (schema: string, url = server.url): Parameters<typeof openStores>[0] => ({
      dataDir: files.dataDir,
      stores: 'lmdb',
      portStores: { content: 'postgres' },
      postgres: { url: new Secret(url), schema },
    });

    async function open(schema: string, url = server.url): Promise<Stores> {
      const stores = await openStores(settings(schema, url));
      opened.push(stores);
      return stores;
    }

    async function tell(statement: string): Promise<unknown[]> {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(statement)).rows;
      } finally {
        await client.end();
      }
    }

    it('makes its tables once, however many open it at once', async () => {
      expect(await storesExist(settings('at_once'))).toBe(false);
      const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => open('at_once')));
      const ref = await first?.content.store('run', 'told to all');
      for (const other of others) expect(await other.content.retrieve(ref ?? '')).toBe('told to all');
      expect(await storesExist(settings('at_once'))).toBe(true);
    });

    it('needs no right to make a schema that is there', async () => {
      await tell(
        `CREATE SCHEMA given; CREATE ROLE worker LOGIN PASSWORD 'w'; GRANT ALL ON SCHEMA given TO worker`,
      );
      const url = `postgres://worker:w@127.0.0.1:${server.port}/postgres`;
      const stores = await open('given', url);
      expect(await stores.content.has(await stores.content.store('run', 'text'))).toBe(true);
      await expect(open('denied', url)).rejects.toThrow(/permission denied/);
    });

    it.each([
      ['a wrong password', (url: URL) => (url.password = 'guessed'), /password was refused/],
      ['no password', (url: URL) => (url.password = ''), /password was refused/],
      ['an unknown user', (url: URL) => (url.username = 'nobody'), /password was refused/],
      [
        'an unknown database',
        (url: URL) => (url.pathname = '/missing'),
        /missing.*there is no such database/,
      ],
      ['a port where nobody listens', (url: URL) => (url.port = '1'), /:1\/.*nothing answers/],
      ['an unknown host', (url: URL) => (url.hostname = 'no.such.host.invalid'), /host/],
    ])('says in plain words that it was given %s, and not the password', async (_what, change, words) => {
      const url = new URL(server.url);
      change(url);
      const failure = await open('words', url.href).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: expect.stringMatching(/^Store(Open|Write)Error$/) as string });
      const { message } = failure as Error;
      expect(message).toMatch(words);
      expect(message).toContain('COLLIGATE_POSTGRES_URL');
      for (const secret of [POSTGRES_PASSWORD, encodeURIComponent(POSTGRES_PASSWORD), 'guessed'])
        expect(message).not.toContain(secret);
    });

    it('is refused where another version of Colligate made it', async () => {
      await open('newer');
      await tell('UPDATE newer.about SET format = 2');
      await expect(open('newer')).rejects.toMatchObject({ name: 'StoreFormatError', found: 2, expected: 1 });
    });

    it('tells a damaged text from a whole one', async () => {
      const stores = await open('damaged');
      const ref = await stores.content.store('run', 'whole');
      await tell(`UPDATE damaged.artifacts SET value = value || 'x'::bytea`);
      await expect(stores.content.retrieve(ref)).rejects.toMatchObject({ name: 'CorruptArtifactError', ref });
    });

    it('keeps what it has said is kept over a crash of the server, and goes on when it is there again', async () => {
      const stores = await open('crash');
      const refs = await stores.content.storeBatch('run', ['one', 'two']);
      await server.kill();
      try {
        const away = { name: expect.stringMatching(/^Store(Open|Write)Error$/) as string };
        await expect(stores.content.store('run', 'three')).rejects.toMatchObject(away);
        await expect(stores.content.retrieve(refs[0] ?? '')).rejects.toMatchObject(away);
      } finally {
        await server.start();
      }
      expect([...(await stores.content.retrieveBatch(refs)).values()].sort()).toEqual(['one', 'two']);
      await stores.content.store('run', 'three');
      expect(await stores.content.clearRun('run')).toEqual({ deleted: 3, kept: 0 });
    });

    it('refuses what comes after it was closed', async () => {
      const stores = await open('closed');
      await stores.close();
      await expect(stores.content.store('run', 'late')).rejects.toMatchObject({ name: 'StoreClosedError' });
    });

    it('examines whether anything may be lost', async () => {
      const stores = await open('examined');
      expect(await stores.examine()).toEqual([]);
      for (const [setting, level, words] of [
        ['fsync', 'warning', /fsync/],
        ['synchronous_commit', 'warning', /synchronous_commit is off/],
        ['default_transaction_read_only', 'error', /read only/],
      ] as const) {
        await server.stop();
        await server.start({ [setting]: setting.startsWith('default') ? 'on' : 'off' });
        expect(await stores.examine()).toEqual([{ level, message: expect.stringMatching(words) as string }]);
      }
      await expect(stores.content.store('run', 'text')).rejects.toThrow(/only reads.*primary/);
      await server.stop();
      await server.start();
      expect(await stores.examine()).toEqual([]);
    });
  });
});

describe('errors of PostgreSQL', () => {
  test.each([
    [new DatabaseOpenError('PostgreSQL at x', new Error('gone')), 'StoreOpenError'],
    [new DatabaseWriteError('PostgreSQL at x', new Error('gone')), 'StoreWriteError'],
  ])('Temporal is told an error by its own name, whatever its class is called: %s', (error, type) => {
    const told = asActivityFailure(error);
    expect(told).toBeInstanceOf(ApplicationFailure);
    expect(told).toMatchObject({ type, nonRetryable: false, message: error.message });
  });
});
