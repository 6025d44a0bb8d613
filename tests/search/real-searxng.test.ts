import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchProvider } from '../../src/search/search-providers';
import { createTestWeb } from '../fetch/web-under-test';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { describeWhere } from '../support/services/describe-where';
import { untilTrue } from '../support/until';

/** A Python that has SearXNG; `npm test` gets one. */
const PYTHON = process.env['TEST_SEARXNG'] ?? '';

interface Searxng {
  port: number;
  close(): Promise<void>;
}

/** Its own web application, with two engines that ask nobody outside: one that asks `library`, and one that makes tables up. */
async function startSearxng({ formats, library }: { formats: string; library: number }): Promise<Searxng> {
  const folder = mkdtempSync(join(tmpdir(), 'colligate-searxng-'));
  const settings = join(folder, 'settings.yml');
  const port = await freePort();
  writeFileSync(
    settings,
    `use_default_settings:
  engines: { keep_only: [] }
search: { formats: [${formats}] }
server: { secret_key: of-a-test, limiter: false, bind_address: 127.0.0.1, port: ${port} }
engines:
  - { name: library, engine: json_engine, shortcut: lib, categories: [general], enable_http: true,
      search_url: "http://127.0.0.1:${library}/?q={query}", results_query: results,
      url_query: url, title_query: title, content_query: content }
  - { name: tables, engine: demo_offline, shortcut: tab, disabled: false }
`,
  );
  const server = spawn(PYTHON, ['-m', 'searx.webapp'], {
    cwd: folder,
    env: { ...process.env, SEARXNG_SETTINGS_PATH: settings },
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  await untilTrue(
    async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok === true,
  );
  return {
    port,
    async close() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is an object
  server.close();
  return port;
}

describeWhere(PYTHON !== '', 'SearXNG (TEST_SEARXNG is a Python that has it)', 'a real SearXNG', () => {
  const library = forAllTests(startLoggingServer);
  const open = forAllTests(async () => {
    const started = await Promise.all(
      ['html, json', 'html'].map((formats) => startSearxng({ formats, library: library.port })),
    );
    const [{ port: withJson } = { port: 0 }, { port: without } = { port: 0 }] = started;
    return { withJson, without, close: () => Promise.all(started.map(({ close }) => close())) };
  });

  async function ask(port: number, query: string): Promise<unknown> {
    const { fetcher } = createTestWeb({ allow: [`127.0.0.1:${port}`] });
    const settings = { url: `http://127.0.0.1:${port}`, contact: null };
    try {
      return await searchProvider('searxng').search(query, settings, { fetcher, limit: 10, key: null });
    } finally {
      await fetcher.close();
    }
  }

  it('answers with what its engines find, and tables of it are no results', async () => {
    library.serve = (_request, response) =>
      response.end(
        JSON.stringify({
          results: [
            {
              url: 'https://example.org/sleep',
              title: 'Sleep & memory',
              content: 'Sleep consolidates memory.',
            },
            { url: 'https://example.org/naps', title: 'Naps', content: 'Naps help as well.' },
          ],
        }),
      );
    expect(await ask(open.withJson, 'sleep & memory?')).toEqual([
      expect.objectContaining({
        url: 'https://example.org/sleep',
        title: 'Sleep & memory',
        text: 'Sleep consolidates memory.',
        published: null,
      }),
      expect.objectContaining({ url: 'https://example.org/naps', title: 'Naps' }),
    ]);
    expect(library.requests.map(({ path }) => new URL(path, 'http://library').searchParams.get('q'))).toEqual(
      ['sleep & memory?'],
    );
  });

  it('refuses programs where its settings have no JSON, as it ships, and what to do is told', async () => {
    await expect(ask(open.without, 'sleep')).rejects.toThrow(
      'searxng lets no program ask; add json to search.formats in its settings.yml, and look at its limiter (403)',
    );
  });
});
