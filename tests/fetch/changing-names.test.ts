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

  it('an answer that changes is asked for once a connection, and each is checked', async () => {
    const answers = [['127.0.0.1'], [PUBLIC, '10.0.0.1'], ['127.0.0.1']];
    const { fetcher, lookedUp } = createTestWeb({
      allow: [],
      limits: { connectMs: 1 },
      names: { 'changing.example': () => answers.shift() ?? [] },
    });
    while (answers.length > 0) {
      const left = answers.length;
      const { kind } = await refusal(fetcher.fetch(`http://changing.example:${server.port}/`), FetchError);
      expect(kind).toBe('not-public');
      expect(answers.length).toBe(left - 1);
    }
    expect(lookedUp).toEqual(Array(3).fill('changing.example'));
    expect(server.connections).toEqual([]);
    await fetcher.close();
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
