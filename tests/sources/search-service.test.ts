import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { SEARCH_INDEXES, SearchIndexName } from '../../src/contracts/run-input';
import { FetchError } from '../../src/sources/fetch-address';
import type { FetchLimits } from '../../src/sources/fetch-request';
import { removeMarkup, SearchError, type SearchHit } from '../../src/sources/search-query';
import { mergeWorks, searchProvider } from '../../src/sources/search-service';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { KEY, openIndexes, recorded } from './indexes-under-test';

describe('failing indexes', () => {
  const server = forAllTests(startLoggingServer);

  const BOMB = `<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id><title>&b;&b;&b;</title></entry></feed>`;

  const OUTSIDE = `<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id><title>&x;</title></entry></feed>`;

  const status =
    (code: number, headers = {}) =>
    (response: ServerResponse): void =>
      void response.writeHead(code, headers).end(`{"error":"the key ${KEY} is wrong"}`);

  const body =
    (text: string | Buffer, headers = {}) =>
    (response: ServerResponse): void =>
      void response.writeHead(200, headers).end(text);

  type Refusal = typeof SearchError | typeof FetchError;

  /** What goes wrong, of which kind that is, and what is said of it. */
  const FAILURES: [string, (response: ServerResponse) => void, Refusal, RegExp][] = [
    ['refuses the key', status(401), SearchError, /does not take the key|lets nobody in|no program/],
    [
      'asks to come back much later',
      status(429, { 'retry-after': '3600' }),
      FetchError,
      /left alone for now \(429\)/,
    ],
    ['is busy without saying for how long', status(429), FetchError, /left alone for now \(429\)/],
    ['fails', status(500), FetchError, /fails \(500\)/],
    ['does not understand', status(400), SearchError, /does not understand what it is asked.*\(400\)/],
    ['is not there', status(404), SearchError, /is not where search\..*\.url says/],
    ['answers no JSON and no XML', body(`<html>${KEY}`), SearchError, /otherwise than it is documented/],
    [
      'answers something else',
      body(`{"results":"${KEY}","message":"${KEY}","data":"${KEY}","web":7}`),
      SearchError,
      /otherwise than it is documented/,
    ],
    ['answers with a bomb of entities', body(BOMB), SearchError, /otherwise than it is documented/],
    [
      'answers with an entity that lies elsewhere',
      body(OUTSIDE),
      SearchError,
      /otherwise than it is documented/,
    ],
    [
      'answers with too much',
      body(gzipSync(Buffer.alloc(9 * 1_048_576, ' ')), { 'content-encoding': 'gzip' }),
      SearchError,
      /more than 8 MB/,
    ],
    ['never ends', (response) => void response.writeHead(200).write('{'), FetchError, /sent nothing further/],
    ['never begins', () => undefined, FetchError, /sent no headers/],
    [
      'leads inside',
      status(302, { location: 'http://10.0.0.1/secret' }),
      FetchError,
      /no public address|goes nowhere else/,
    ],
  ];

  /** Of those that have to be waited for; the others have as long as they need. */
  const ENDED_SOON: Readonly<Record<string, Partial<FetchLimits>>> = {
    'never ends': { idleMs: 200 },
    'never begins': { connectMs: 100, headersMs: 100 },
  };

  /** Failures in common code are tried with one index that answers JSON and one that answers XML. */
  const failuresOf = (name: SearchIndexName): typeof FAILURES =>
    name === 'searxng' || name === 'arxiv'
      ? FAILURES
      : FAILURES.filter(([what]) => what === 'refuses the key' || what.startsWith('answers something'));

  describe.each(SearchIndexName.options)('%s', (name) => {
    it.each(failuresOf(name))('that %s is reported without the key', async (what, answer, kind, words) => {
      const { ask, fetcher } = openIndexes(
        server,
        (_request, response) => answer(response),
        ENDED_SOON[what],
      );
      const error = await ask(name, 'sleep').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(kind);
      if (!(error instanceof Error)) throw error;
      expect(error.message).toMatch(words);
      expect(error.message).toContain(error instanceof FetchError ? 'http://1' : name);
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(KEY);
      await fetcher.close();
    });

    it('is not asked without a key that it needs, nor with one that no header takes', async () => {
      const { asked, ask, fetcher } = openIndexes(server, (_request, response) => response.end('{}'));
      const { key, keyVariable } = SEARCH_INDEXES[name];
      if (key === 'required')
        await expect(ask(name, 'sleep', { key: null })).rejects.toThrow(
          `${name} asks for a key; set ${keyVariable}`,
        );
      await expect(ask(name, 'sleep', { key: 'two\nlines' })).rejects.toThrow(
        /has characters that no key has/,
      );
      await expect(ask(name, ' \u200b ')).rejects.toThrow(`${name} is asked for nothing`);
      expect(asked).toEqual([]);
      await fetcher.close();
    });

    it('on this machine is refused where that is not allowed by name', async () => {
      const before = server.requests.length;
      const { fetcher } = openIndexes(server, (_request, response) => response.end('{}'));
      const settings = { url: `http://localhost.localdomain:${server.port}`, contact: null };
      const inside = { url: 'http://169.254.169.254', contact: null };
      for (const at of [settings, inside])
        await expect(
          searchProvider(name).search('sleep', at, { fetcher, limit: 2, key: KEY }),
        ).rejects.toBeInstanceOf(FetchError);
      expect(server.requests.length).toBe(before);
      await fetcher.close();
    });
  });

  const NOTHING: Partial<Record<SearchIndexName, string>> = {
    brave: '{"type":"search","query":{}}',
    arxiv: '<feed xmlns="http://www.w3.org/2005/Atom"></feed>',
    pubmed: '{"esearchresult":{"count":"0","idlist":[]}}',
  };

  test.each(SearchIndexName.options)('%s that finds nothing is no failure', async (name) => {
    const { ask, fetcher } = openIndexes(server, (_request, response) =>
      response.end(NOTHING[name] ?? '{"results":[]}'),
    );
    expect(await ask(name, 'sleep')).toEqual([]);
    await fetcher.close();
  });

  test('errors of one index alone have their own message', async () => {
    const cases: [SearchIndexName, (response: ServerResponse) => void, RegExp][] = [
      ['searxng', status(403), /add json to search\.formats/],
      [
        'searxng',
        body('{"results":[],"unresponsive_engines":[["bing","timeout"]]}'),
        /1 engines that do not answer/,
      ],
      ['tavily', status(432), /no credit left/],
      ['brave', status(422), /does not take the key; look at BRAVE_API_KEY/],
      ['openalex', status(403), /fewer questions in a second/],
      [
        'arxiv',
        body(recorded('arxiv.xml').replace('/abs/hep-ex/0307015v2', '/api/errors#bad')),
        /does not understand/,
      ],
      ['pubmed', body('{"esearchresult":{"ERROR":"Search Backend failed"}}'), /does not understand/],
    ];
    for (const [name, answer, words] of cases) {
      const { ask, fetcher } = openIndexes(server, (_request, response) => answer(response));
      await expect(ask(name, 'sleep')).rejects.toThrow(words);
      await fetcher.close();
    }
  });

  test('results of which none has a title or an address are told, not passed over', async () => {
    const { ask, fetcher } = openIndexes(server, (_request, response) =>
      response.end('{"results":[{"link":"x"}]}'),
    );
    await expect(ask('tavily', 'sleep')).rejects.toThrow(/none of its results has a title or an address/);
    await fetcher.close();
  });

  test('an unknown index is reported with the known ones', () => {
    expect(() => searchProvider('google')).toThrow(
      'there is no index called google; there are searxng, tavily, brave, openalex, arxiv, pubmed',
    );
  });

  test('an index without an address is reported', async () => {
    const { fetcher } = openIndexes(server, (_request, response) => response.end('{}'));
    await expect(
      searchProvider('searxng').search(
        'sleep',
        { url: null, contact: null },
        { fetcher, limit: 1, key: null },
      ),
    ).rejects.toThrow('searxng has no address; set search.searxng.url');
    await fetcher.close();
  });
});

describe('found works', () => {
  function hit(given: Partial<SearchHit>): SearchHit {
    return {
      url: null,
      title: 'Walking and sleep in older adults',
      text: null,
      authors: ['Ada Ng'],
      published: null,
      venue: null,
      doi: null,
      arxivId: null,
      pmid: null,
      openUrl: null,
      license: null,
      isRetracted: false,
      ...given,
    };
  }

  function worksOf(...hits: Partial<SearchHit>[]): ReturnType<typeof mergeWorks> {
    return mergeWorks(hits.map((one, at) => ({ index: `index ${at + 1}`, hits: [hit(one)] })));
  }

  test.each([
    ['one DOI', { doi: '10.1000/walk' }, { doi: '10.1000/walk', url: 'https://journal.example/walk' }],
    ['a DOI and the address of it', { doi: '10.1000/walk' }, { url: 'https://doi.org/10.1000/WALK' }],
    ['one arXiv id', { arxivId: '2101.00001' }, { url: 'https://arxiv.org/pdf/2101.00001v3' }],
    [
      'an arXiv id and the DOI that arXiv gave it',
      { arxivId: '2101.00001' },
      { doi: '10.48550/arxiv.2101.00001' },
    ],
    ['one PubMed id', { pmid: '123' }, { pmid: '123', doi: '10.1000/walk' }],
    ['one address', { url: 'https://www.example.org/a/?utm_source=x' }, { url: 'http://example.org/a' }],
  ])('%s is one work, with what both indexes know', (_what, one, other) => {
    const [work, ...others] = worksOf(
      { ...one, text: 'Short.' },
      { ...other, text: 'A longer text of it.', isRetracted: true, venue: 'Journal of Walks' },
    );
    expect(others).toEqual([]);
    expect(work).toMatchObject({
      indexes: ['index 1', 'index 2'],
      text: 'A longer text of it.',
      isRetracted: true,
      venue: 'Journal of Walks',
      versionOf: null,
    });
  });

  test('a preprint and its article are two works, marked as versions', () => {
    const works = worksOf(
      { doi: '10.1000/walk' },
      { arxivId: '2101.00001' },
      { doi: '10.1000/other', title: 'Something else of four words' },
    );
    expect(works.map(({ versionOf }) => versionOf)).toEqual([null, 'doi:10.1000/walk', null]);
  });

  test('two DOIs are two works, though an index gives both one address', () => {
    const url = 'https://journal.example/issue';
    const works = worksOf({ doi: '10.1000/a', url, title: 'A' }, { doi: '10.1000/b', url, title: 'B' });
    expect(works.map(({ doi }) => doi)).toEqual(['10.1000/a', '10.1000/b']);
  });

  test('open texts are read first, and each address once', () => {
    const [work] = worksOf(
      { doi: '10.1000/a', url: 'https://paywall.example/a' },
      { doi: '10.1000/a', url: 'https://paywall.example/a/', openUrl: 'https://repository.example/a.pdf' },
    );
    expect(work?.addresses).toEqual(['https://repository.example/a.pdf', 'https://paywall.example/a']);
  });

  test('a result without an address and an id is dropped', () => {
    expect(worksOf({ title: 'A title alone' })).toEqual([]);
  });
});

describe('search hits', () => {
  test.each([
    ['<jats:title>Results</jats:title><jats:p>It fell.</jats:p>', 'Results It fell.'],
    ['Vitamin D<sub>3</sub> &amp; &alpha;-tocopherol', 'Vitamin D3 & α-tocopherol'],
    ['Th&eacute;orie de <i>Z</i>&#8320; and &#x1d6fc;', 'Théorie de Z₀ and 𝛼'],
    ['p < 0.05 and x<y, AT&T', 'p < 0.05 and x<y, AT&T'],
    ['&amp;lt;b&amp;gt; &#0; &nosuch;', '&lt;b&gt; \ufffd &nosuch;'],
    [null, ''],
  ])('of %j is what a reader sees', (written, seen) => {
    expect(removeMarkup(written)).toBe(seen);
  });
});
