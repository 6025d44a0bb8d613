import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { importRequestSources } from '../../src/client/source-input';
import { InvalidSourcesError, type SourceReading } from '../../src/sources/source-problems';
import { loadSources, reparseSources } from '../../src/sources/source-readings';
import { refusal } from '../support/refusal';
import { useImports } from './imports-under-test';

describe('sources that are read whole', () => {
  /** A million characters each, with the address. */
  async function* texts(count: number): AsyncGenerator<SourceReading> {
    const url = `https://example.org/${'a'.repeat(499_980)}`;
    const content = 'a'.repeat(500_000);
    for (let n = 1; n <= count; n += 1) {
      const record = { id: `s${n}`, title: `Text ${n}`, url, content };
      yield { ok: true, file: `${n}.md`, record, remarks: [], unknown: [] };
    }
  }
  const asker = { id: 'ann', signal: new AbortController().signal };

  it('have together at most 50,000,000 characters where they are read for others', async () => {
    const { sources } = await loadSources(texts(50), { skipInvalid: true, asker });
    expect(sources).toHaveLength(50);
    const refused = await refusal(loadSources(texts(200), { skipInvalid: true, asker }), InvalidSourcesError);
    expect(refused.problems).toEqual([
      { file: '51.md', message: 'with it the sources have more than 50,000,000 characters together' },
    ]);
    expect((await loadSources(texts(51), { skipInvalid: false })).sources).toHaveLength(51);
  });
});

describe('pages', () => {
  const TEXT =
    'Rice feeds many people in Asia. A trial of 120 adults found no difference between two kinds of it.';

  const PAGE = `<!doctype html><html lang="en"><head><title>Rice and sleep</title>
<link rel="canonical" href="http://10.0.0.1/canonical"><meta http-equiv="refresh" content="0; url=http://10.0.0.1/refresh">
</head><body><article><h1>Rice and sleep</h1><p>${`${TEXT} `.repeat(6)}</p></article></body></html>`;

  const imports = useImports();

  const { server, folder, at, imported } = imports;

  // Each test has pages of its own.
  beforeEach(() => {
    server.serve = ({ url = '' }, response) => serving(url)(response);
  });

  function serving(url: string): (response: Parameters<typeof server.serve>[1]) => void {
    return (response) => {
      if (url.startsWith('/moved')) response.writeHead(301, { location: at('/page', 'two.example') }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    };
  }

  const pathsAsked = (): string[] => server.requests.map(({ path }) => path);

  describe('an address among the sources', () => {
    it('is read as a file is, and cited by where it was found', async () => {
      const note = await folder.write('note.md', '# A note\n\nAbout rice.');
      const { sources, textOf } = await imported([at('/moved/first'), note, at('/moved/first')]);
      expect(sources).toHaveLength(2);
      expect(sources[0]).toMatchObject({
        title: 'Rice and sleep',
        url: at('/page', 'two.example'),
        mediaType: 'text/html',
        accessedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      });
      expect(await textOf(sources[0])).toContain('A trial of 120 adults');
    });

    it('is not fetched for a client who left', async () => {
      const leave = new AbortController();
      const gone = new Error('The client left.');
      const before = server.requests.length;
      server.serve = (_request, response) => {
        leave.abort(gone);
        response.end(PAGE);
      };
      const paths = Array.from({ length: 20 }, (_, n) => at(`/left/${n}`));
      const { stores, pages } = imports;
      const asked = importRequestSources({ content: stores.content, pages, cwd: folder.path }, 'left', {
        paths,
        asker: { id: 'ann', signal: leave.signal },
      });
      await expect(asked).rejects.toBe(gone);
      expect(server.requests.length - before).toBeLessThan(paths.length);
    });

    it('is read from a named file of links; a note with an address stays a note', async () => {
      const links = await folder.write('links.txt', `# read later\n${at('/list/a')}\n\n${at('/list/a')}\n`);
      const note = await folder.write('notes/note.txt', `${at('/list/c')}\n`);
      const { sources } = await imported([links, note.replace('/note.txt', '')]);
      expect(pathsAsked().filter((path) => path.startsWith('/list'))).toEqual(['/list/a']);
      expect(sources.map(({ url }) => url)).toEqual([at('/list/a'), null]);
    });

    it('that is unusable is reported with its reason; the others are read', async () => {
      server.serve = ({ url = '' }, response) =>
        url === '/bad/gone' ? response.writeHead(404).end() : serving(url)(response);
      const bad = [
        at('/bad/gone'),
        'http://127.0.0.1/',
        'file:///etc/passwd',
        'http://user:word@one.example/',
      ];
      const { sources, warnings } = await imported([...bad, at('/good')]);
      expect(sources.map(({ url }) => url)).toEqual([at('/good')]);
      expect(warnings).toEqual([
        `${at('/bad/gone')}: there is no such page (404); look at the address`,
        expect.stringMatching(
          /^http:\/\/127\.0\.0\.1\/: it leads to 127\.0\.0\.1, which is no public address; .* by fetch\.allow$/,
        ),
        'file:///etc/passwd: only http and https addresses are fetched; save what lies elsewhere, and give the file',
        'http://one.example/: an address with a name or a password before its host is not fetched; give it without them',
      ]);
    });

    it('is asked for nothing that it names itself: no refresh, no canonical address, no other file', async () => {
      const asked = server.requests.length;
      const { sources } = await imported([at('/names')]);
      expect(sources.map(({ url }) => url)).toEqual([at('/names')]);
      expect(pathsAsked().slice(asked)).toEqual(['/names']);
    });
  });

  describe('what was fetched', () => {
    const ORIGINAL = { etag: '"one"', 'content-type': 'text/html' };

    it('is kept as it came before it is read, and costs nothing where it has not changed', async () => {
      const asked: (string | undefined)[] = [];
      server.serve = ({ headers }, response) => {
        asked.push(headers['if-none-match']);
        if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
        else response.writeHead(200, ORIGINAL).end(PAGE);
      };
      const first = await imported([at('/kept')], { runId: 'run-1' });
      const second = await imported([at('/kept')], { runId: 'run-2' });
      expect(asked).toEqual([undefined, '"one"']);
      expect(second.sources).toEqual(first.sources);
      // As long as a run holds it.
      for (const run of ['run-1', 'run-2']) await imports.stores.derived.clearRun(run);
      await imported([at('/kept')], { runId: 'run-3' });
      expect(asked).toEqual([undefined, '"one"', undefined]);
    });

    it('is not fetched again when the import is made again, though it died in what came behind', async () => {
      let broken = true;
      server.serve = ({ url = '' }, response) => {
        if (url === '/retried/b' && broken) response.writeHead(500).end();
        else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE.replaceAll('Rice', url));
      };
      const paths = [at('/retried/a'), at('/retried/b')];
      const again = { isRetried: true, skipInvalid: false };
      await expect(imported(paths, again)).rejects.toThrow('its server fails (500)');
      broken = false;
      const { sources } = await imported(paths, again);
      expect(await imported(paths, again)).toMatchObject({ sources });
      expect(pathsAsked().filter((path) => path.startsWith('/retried'))).toEqual([
        '/retried/a',
        '/retried/b',
        '/retried/b',
      ]);
    });

    it('is not kept if the import fails', async () => {
      const asked = server.requests.length;
      await expect(imported([at('/failed'), 'file:///etc/passwd'], { skipInvalid: false })).rejects.toThrow(
        '1 problem',
      );
      await imported([at('/failed')]);
      expect(server.requests.slice(asked).map(({ headers }) => headers['if-none-match'])).toEqual([
        undefined,
        undefined,
      ]);
    });
  });

  describe('the original of a source', () => {
    const sha256 = createHash('sha256').update(PAGE).digest('hex');

    it('is known by the hash of its bytes, whether it was fetched or lay in a file, and its type and language are told', async () => {
      const file = await folder.write('page.html', PAGE);
      const { sources } = await imported([at('/hashed'), file]);
      for (const source of sources)
        expect(source).toMatchObject({ sha256, mediaType: 'text/html', language: 'en' });
    });

    it('is read again with neither its file nor its page, and the source stays who it is', async () => {
      const file = await folder.write('page.html', PAGE);
      const note = await folder.write('note.md', '# A note\n\nAbout rice.');
      const { sources, textOf } = await imported([at('/again'), file, note]);
      await Promise.all([file, note].map((path) => rm(path)));
      server.serve = (_request, response) => response.writeHead(404).end();
      const asked = server.requests.length;
      // Whoever imported it before may be gone by then: who reads it again holds it as well.
      const pages = imports.pages.open({ runId: 'run-2' });
      const content = imports.stores.content;
      const kept = {
        // As of an older version, which read less of it: what is read again is not this text.
        textOf: async (ref: string) => (await content.retrieve(ref))?.replaceAll('trial', 'TRIAL') ?? null,
        originalOf: pages.originalOf,
      };
      const readings = reparseSources(sources, kept);
      const again = await loadSources(readings, { skipInvalid: false });
      expect(again.sources.map(({ content: text }) => text)).toEqual([
        await textOf(sources[0]),
        await textOf(sources[1]),
        '# A note\n\nAbout rice.',
      ]);
      const described = (source: { id: string; title: string }): string[] => [source.id, source.title];
      expect(again.sources.map(described)).toEqual(sources.map(described));
      expect(server.requests).toHaveLength(asked);
      await pages.handOver();
      await pages.close();
      await imports.stores.derived.clearRun('run-1');
      expect(await imports.pages.open({ runId: 'run-3' }).originalOf(sha256)).toEqual(Buffer.from(PAGE));
    });
  });

  describe('attack 6: what says that it is something else', () => {
    it.each([
      ['a page that is labelled a PDF', 'application/pdf', PAGE, 'A trial of 120 adults'],
      ['a path for a type', '../../../../etc/passwd', PAGE, 'A trial of 120 adults'],
      ['text that is labelled a page', 'text/html', TEXT, 'A trial of 120 adults'],
      ['an endless type', `text/html; ${'x'.repeat(20_000)}`, PAGE, 'A trial of 120 adults'],
    ])('is read as what it is: %s', async (_name, type, body, held) => {
      server.serve = (_request, response) => response.writeHead(200, { 'content-type': type }).end(body);
      const { sources, textOf } = await imported([at(`/labelled/${encodeURIComponent(type).slice(0, 40)}`)]);
      expect(sources).toHaveLength(1);
      expect(await textOf(sources[0])).toContain(held);
    });

    it('is cited by its own site, whatever site it says it is', async () => {
      server.serve = ({ url = '' }, response) => {
        if (url === '/says.md')
          response
            .writeHead(200, { 'content-type': 'text/plain' })
            .end(`---\nid: chosen\nurl: https://journal.example/paper\n---\n${TEXT}`);
        else
          response.writeHead(200, { 'content-type': 'application/json' }).end(
            JSON.stringify([
              { url: 'https://journal.example/paper', title: 'Forged', content: TEXT, file: 'paper.pdf' },
              { url: at('/own'), title: 'Own', content: `${TEXT} Of its own.` },
              { url: 'https://journal.example/other', title: 'Forged too', content: `${TEXT} Another.` },
            ]),
          );
      };
      const { sources } = await imported([at('/says.md'), at('/says.json')]);
      expect(sources.map(({ url, file }) => [url, file])).toEqual([
        [at('/says.md'), undefined],
        [at('/says.json'), undefined],
        [at('/own'), undefined],
        [`${at('/says.json')}#/3`, undefined],
      ]);
      expect(sources.map(({ id }) => id)).not.toContain('chosen');
    });
  });

  describe('attack 10: keys in addresses', () => {
    it('are in no list, no warning and no file of the stores', async () => {
      server.serve = ({ url = '' }, response) => {
        if (url.startsWith('/signed/to'))
          response.writeHead(302, { location: at('/signed/page?X-Amz-Signature=s3cr3t') }).end();
        else if (url.startsWith('/signed/gone')) response.writeHead(410).end();
        else response.writeHead(200, { etag: '"one"', 'content-type': 'text/html' }).end(PAGE);
      };
      const given = [
        at('/signed/page?access_token=s3cr3t&page=2'),
        at('/signed/to?page=3'),
        at('/signed/gone?key=s3cr3t'),
      ];
      const { sources, warnings } = await imported([...given, at('/signed/page?page=4')]);
      expect(sources.map(({ url }) => url)).toEqual([
        at('/signed/page'),
        at('/signed/to?page=3'),
        at('/signed/page?page=4'),
      ]);
      expect(JSON.stringify([sources, warnings])).not.toContain('s3cr3t');
      await imports.stores.close();
      const data = join(folder.path, 'data');
      const files = (await readdir(data, { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
      for (const { parentPath, name } of files) {
        expect((await readFile(join(parentPath, name))).includes('s3cr3t')).toBe(false);
      }
      await imports.reopened();
    });
  });
});
