import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { FetchError } from '../../src/fetch/fetch-error';
import { guardedConnector } from '../../src/fetch/guarded-connector';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb } from './web-under-test';

const server = forAllTests(startLoggingServer);
const PUBLIC = '93.184.216.34';

describe('attack 2: names whose answers are made to deceive', () => {
  it.each([
    ['public first', [PUBLIC, '127.0.0.1']],
    ['public last', ['127.0.0.1', PUBLIC]],
    ['in two families', ['2606:4700:4700::1111', '::1']],
    ['none at all', []],
  ])('an answer that mixes is refused whole: %s', async (_name, answer) => {
    const { fetcher } = createTestWeb({ allow: [], names: { 'mixed.example': answer } });
    const { kind } = await refusal(fetcher.fetch(`http://mixed.example:${server.port}/`), FetchError);
    expect(kind).toBe(answer.length === 0 ? 'unreachable' : 'not-public');
    expect(server.connections).toEqual([]);
    await fetcher.close();
  });

  it('an answer that changes is asked for once a connection, and the connection goes to what was checked alone', async () => {
    const answers = [[PUBLIC], ['127.0.0.1'], [PUBLIC, '10.0.0.1'], ['93.184.216.35']];
    const went: string[][] = [];
    // Stands for the network: it asks for addresses as a socket does, and goes no further.
    const build = (({ lookup }) =>
      (_where, callback) =>
        lookup?.('changing.example', { all: true }, (_error, found) => {
          went.push(typeof found === 'string' ? [found] : found.map(({ address }) => address));
          callback(Object.assign(new Error('as far as it goes'), { code: 'ECONNREFUSED' }), null);
        })) as (options: { lookup?: LookupFunction }) => buildConnector.connector;
    const resolve = async (): Promise<string[]> => answers.shift() ?? [];
    const connector = guardedConnector(
      { allowed: new Set(), connectMs: 10_000, resolve },
      build as typeof buildConnector,
    );
    const where = { hostname: 'changing.example', host: 'changing.example', protocol: 'http:', port: '80' };
    const kinds: unknown[] = [];
    while (answers.length > 0) {
      const error = await new Promise((failed) => connector(where, (...[failure]) => failed(failure)));
      kinds.push(error instanceof FetchError ? error.kind : error);
    }
    expect(kinds).toEqual(['unreachable', 'not-public', 'not-public', 'unreachable']);
    expect(went).toEqual([[PUBLIC], ['93.184.216.35']]);
  });

  it('the peer of the socket is looked at before a request is written, whatever has led there', async () => {
    const asked = server.requests.length;
    // As if the system, or something beneath it, went elsewhere than it was told.
    const elsewhere: typeof buildConnector = (options) => {
      const connect = buildConnector({
        ...options,
        lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
      });
      return (where, callback) => connect({ ...where, port: String(server.port) }, callback);
    };
    const connector = guardedConnector(
      { allowed: new Set(), connectMs: 10_000, resolve: async () => [PUBLIC] },
      elsewhere,
    );
    const error = await new Promise<Error | null>((resolve) =>
      connector(
        { hostname: 'public.example', host: 'public.example:80', protocol: 'http:', port: '80' },
        (...[failure, socket]) => {
          socket?.destroy();
          resolve(failure);
        },
      ),
    );
    expect(error).toBeInstanceOf(FetchError);
    expect(error?.message).toContain('the connection led to 127.0.0.1, which was not checked');
    expect(server.requests.length).toBe(asked);
  });
});
