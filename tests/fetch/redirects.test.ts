import { FetchError } from '../../src/fetch/fetch-error';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer, type Serve } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb, type TestWeb } from './web-under-test';

const server = forAllTests(startLoggingServer);

const redirecting =
  (targets: Readonly<Record<string, string>>): Serve =>
  ({ url = '' }, response) => {
    const location = targets[url];
    if (location === undefined) response.end('arrived');
    else response.writeHead(302, { location }).end();
  };

function openWeb(): TestWeb & { at: (name: string) => string } {
  const at = (name: string): string => `http://${name}.example:${server.port}`;
  const web = createTestWeb({
    allow: [`one.example:${server.port}`, `two.example:${server.port}`],
    names: { 'one.example': ['127.0.0.1'], 'two.example': ['127.0.0.1'], 'inside.example': ['127.0.0.1'] },
  });
  return { ...web, at };
}

describe('attack 3: redirects', () => {
  it('are followed one by one, five at most', async () => {
    const { fetcher, at } = openWeb();
    server.serve = redirecting({ '/5': '/4', '/4': '/3', '/3': '/2', '/2': '/1', '/1': '/0', '/6': '/5' });
    expect(await fetcher.fetch(`${at('one')}/5`)).toMatchObject({ finalUrl: `${at('one')}/0` });
    const { kind, message } = await refusal(fetcher.fetch(`${at('one')}/6`), FetchError);
    expect(kind).toBe('bad-redirect');
    expect(message).toContain('it redirects more than 5 times');
    expect(server.requests.filter(({ path }) => path === '/0')).toHaveLength(1);
    await fetcher.close();
  });

  it.each([
    ['to this machine', () => `http://127.0.0.1:${server.port}/secret`, 'not-public'],
    ['to a number', () => `http://2130706433:${server.port}/secret`, 'not-public'],
    ['to a private network', () => 'http://10.0.0.1/secret', 'not-public'],
    ['to a provider’s inside', () => 'http://169.254.169.254/latest/meta-data', 'not-public'],
    ['to a name that leads inside', () => `http://inside.example:${server.port}/secret`, 'not-public'],
    ['to a file', () => 'file:///etc/passwd', 'bad-address'],
    ['to data', () => 'data:text/plain,secret', 'bad-address'],
    ['to a mail server', () => 'http://one.example:25/', 'bad-address'],
    ['with a name and a password', () => `http://user:word@one.example:${server.port}/secret`, 'bad-address'],
    ['in a circle', () => '/from', 'bad-redirect'],
  ])('%s are refused', async (_name, target, kind) => {
    const { fetcher, at } = openWeb();
    server.serve = redirecting({ '/from': target() });
    expect((await refusal(fetcher.fetch(`${at('one')}/from`), FetchError)).kind).toBe(kind);
    expect(server.requests.map(({ path }) => path)).not.toContain('/secret');
    await fetcher.close();
  });

  it('of robots.txt are followed under the same rules', async () => {
    const { fetcher, at } = openWeb();
    const asked = server.requests.length;
    server.robotsAt = 'http://169.254.169.254/robots.txt';
    expect((await refusal(fetcher.fetch(`${at('one')}/`), FetchError)).kind).toBe('not-public');
    server.robotsAt = null;
    expect(server.requests.length).toBe(asked);
    await fetcher.close();
  });

  it('take credentials to their own origin alone, whatever they are called', async () => {
    const { fetcher, at } = openWeb();
    server.serve = redirecting({ '/a': '/b', '/b': `${at('two')}/c`, '/c': `${at('one')}/d` });
    const headers = { authorization: 'Bearer key', cookie: 'session=key', 'x-api-key': 'key' };
    await fetcher.fetch(`${at('one')}/a`, { headers });
    const told = Object.fromEntries(
      server.requests
        .slice(-4)
        .map(({ path, headers: { authorization, cookie, 'x-api-key': own } }) => [
          path,
          [authorization, cookie, own].filter((value) => value !== undefined).length,
        ]),
    );
    expect(told).toEqual({ '/a': 3, '/b': 3, '/c': 0, '/d': 0 });
    await fetcher.close();
  });
});
