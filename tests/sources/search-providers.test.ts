import type { SearchIndexName } from '../../src/contracts/run-input';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { KEY, openIndexes, recorded } from './indexes-under-test';

// The answers follow the services' documentation of 2026-11-26: tests/support/recorded-answers/README.md.
const server = forAllTests(startLoggingServer);

const QUERY = 'vitamin d respiratory';

const nothing = {
  text: null,
  authors: [],
  published: null,
  venue: null,
  doi: null,
  arxivId: null,
  pmid: null,
  openUrl: null,
  license: null,
  isRetracted: false,
};

const get = (path: string, params: object, headers: object = {}): object => ({
  method: 'GET',
  path,
  params,
  headers,
  body: null,
});

interface Case {
  /** In their order. */
  answers: string[];
  asked: object[];
  found: object[];
}

const VITAMIN = {
  ...nothing,
  url: 'https://doi.org/10.1136/bmj.i6583',
  doi: '10.1136/bmj.i6583',
};

const CASES: Record<SearchIndexName, Case> = {
  searxng: {
    answers: ['searxng.json'],
    asked: [get('/search', { q: QUERY, format: 'json' })],
    found: [
      {
        ...nothing,
        url: 'https://www.bmj.com/content/356/bmj.i6583',
        title: 'Vitamin D supplementation to prevent acute respiratory tract infections',
        text: 'Systematic review and meta-analysis of individual participant data.',
      },
      {
        ...nothing,
        url: 'https://doi.org/10.1136/BMJ.I6583',
        title: 'Vitamin D supplementation',
        authors: ['Adrian R Martineau', 'David A Jolliffe'],
        published: '2017-02-15',
        venue: 'BMJ',
        doi: '10.1136/bmj.i6583',
        openUrl: 'https://www.bmj.com/content/bmj/356/bmj.i6583.full.pdf',
      },
      { ...nothing, url: null, title: 'Unit converter', text: '1 µg = 40 IU' },
    ],
  },
  tavily: {
    answers: ['tavily.json'],
    asked: [
      {
        method: 'POST',
        path: '/search',
        params: {},
        headers: { authorization: `Bearer ${KEY}` },
        body: { query: QUERY, max_results: 5, search_depth: 'basic' },
      },
    ],
    found: [
      {
        ...nothing,
        url: 'https://www.nhs.uk/conditions/vitamins-and-minerals/vitamin-d/',
        title: 'Vitamin D and respiratory infections - NHS',
        text: 'Vitamin D helps regulate the amount of calcium and phosphate in the body.',
      },
      {
        ...nothing,
        url: 'https://news.example.org/trial',
        title: 'New trial of vitamin D',
        text: 'The trial began.',
        published: '2024-11-12',
      },
    ],
  },
  brave: {
    answers: ['brave.json'],
    asked: [
      get(
        '/res/v1/web/search',
        { q: QUERY, count: '5', country: 'ALL', text_decorations: 'false', result_filter: 'web' },
        { 'x-subscription-token': KEY },
      ),
    ],
    found: [
      {
        ...nothing,
        url: 'https://www.who.int/tools/elena/interventions/vitamind-infants',
        title: 'Vitamin D & infections',
        text: "Does vitamin D prevent infections (p < 0.05)?\nIt may prevent 'some'.",
        published: '2023-08-09',
        venue: 'World Health Organization',
      },
    ],
  },
  openalex: {
    answers: ['openalex.json'],
    asked: [
      get('/works', {
        search: QUERY,
        per_page: '5',
        select:
          'id,doi,title,publication_date,is_retracted,ids,authorships,primary_location,best_oa_location,abstract_inverted_index',
        mailto: 'somebody@example.org',
        api_key: KEY,
      }),
    ],
    found: [
      {
        ...VITAMIN,
        title: 'Vitamin D supplementation to prevent acute respiratory tract infections',
        text: 'Vitamin D was safe. Those Vitamin helped.',
        authors: ['Adrian R. Martineau'],
        published: '2017-02-15',
        venue: 'BMJ',
        pmid: '28202713',
        openUrl: 'https://www.bmj.com/content/bmj/356/bmj.i6583.full.pdf',
        license: 'cc-by',
      },
      {
        ...nothing,
        url: 'https://openalex.org/W2055043387',
        title: 'A withdrawn work',
        published: '1998-02-28',
        isRetracted: true,
      },
    ],
  },
  arxiv: {
    answers: ['arxiv.xml'],
    asked: [
      get('/api/query', {
        search_query: 'all:vitamin AND all:d AND all:respiratory',
        start: '0',
        max_results: '5',
        sortBy: 'relevance',
      }),
    ],
    found: [
      {
        ...nothing,
        url: 'https://arxiv.org/abs/hep-ex/0307015v2',
        title: 'Multi-Electron Production at High Transverse Momenta in ep Collisions at HERA',
        text: 'Multi-electron production is studied at high transverse momenta < 20 GeV.',
        authors: ['H1 Collaboration'],
        published: '2003-07-07',
        venue: 'Eur.Phys.J. C31 (2003) 17-29',
        doi: '10.1140/epjc/s2003-01326-x',
        arxivId: 'hep-ex/0307015',
        openUrl: 'https://arxiv.org/pdf/hep-ex/0307015v2',
      },
      {
        ...nothing,
        url: 'https://arxiv.org/abs/2101.00001v3',
        title: 'A claim',
        text: 'This paper has been withdrawn by the author due to an error in Lemma 2.',
        authors: ['A. Author'],
        published: '2021-01-01',
        venue: 'arXiv',
        arxivId: '2101.00001',
        isRetracted: true,
      },
    ],
  },
  pubmed: {
    answers: ['pubmed-esearch.json', 'pubmed-efetch.xml'],
    asked: [
      get('/entrez/eutils/esearch.fcgi', {
        db: 'pubmed',
        tool: 'colligate',
        email: 'somebody@example.org',
        api_key: KEY,
        term: QUERY,
        retmax: '5',
        sort: 'relevance',
        retmode: 'json',
      }),
      get('/entrez/eutils/efetch.fcgi', {
        db: 'pubmed',
        tool: 'colligate',
        email: 'somebody@example.org',
        api_key: KEY,
        id: '28202713,9500320',
        retmode: 'xml',
      }),
    ],
    found: [
      {
        ...VITAMIN,
        url: 'https://pubmed.ncbi.nlm.nih.gov/28202713/',
        title: 'Vitamin D supplementation to prevent acute respiratory tract infections.',
        text: 'OBJECTIVES: To assess the effect of vitamin D3.\nRESULTS: Risk fell (P<0.001).',
        authors: ['Adrian R Martineau', 'Vitamin D Group'],
        published: '2017-02-15',
        venue: 'BMJ (Clinical research ed.)',
        pmid: '28202713',
        openUrl: 'https://pmc.ncbi.nlm.nih.gov/articles/PMC5310969/',
      },
      {
        ...nothing,
        url: 'https://pubmed.ncbi.nlm.nih.gov/9500320/',
        title: 'A study that was taken back.',
        published: '1998',
        venue: 'Lancet',
        pmid: '9500320',
        isRetracted: true,
      },
    ],
  },
};

test.each(Object.entries(CASES))(
  '%s is asked as it documents, and told as everybody is',
  async (name, one) => {
    const answers = one.answers.map(recorded);
    const { asked, ask, fetcher } = openIndexes(server, (_request, response) =>
      response.end(answers.shift()),
    );
    expect(await ask(name as SearchIndexName, ` vitamin\u200b d\n respiratory `, { limit: 5 })).toEqual(
      one.found,
    );
    expect(asked).toEqual(one.asked);
    await fetcher.close();
  },
);

test('no more results are given than were wanted, and none is wanted beyond what an index gives', async () => {
  const { asked, ask, fetcher } = openIndexes(server, (_request, response) =>
    response.end(recorded('tavily.json')),
  );
  expect(await ask('tavily', QUERY, { limit: 1 })).toHaveLength(1);
  await ask('tavily', QUERY, { limit: 1_000 });
  expect(asked.map(({ body }) => body)).toMatchObject([{ max_results: 1 }, { max_results: 20 }]);
  await fetcher.close();
});

test('a query is cut behind a word, at 400 characters and 50 words', async () => {
  const { asked, ask, fetcher } = openIndexes(server, (_request, response) =>
    response.end(recorded('searxng.json')),
  );
  await ask('searxng', 'respiratory '.repeat(40));
  await ask('searxng', 'of '.repeat(100));
  const [long = '', many = ''] = asked.map(({ params }) => params['q']);
  expect([long.length, long.endsWith('respiratory')]).toEqual([395, true]);
  expect(many.split(' ')).toHaveLength(50);
  await fetcher.close();
});

test('questions to arXiv are three seconds apart, those to PubMed a third of one', async () => {
  const arxiv = openIndexes(server, (_request, response) => response.end(recorded('arxiv.xml')));
  await arxiv.ask('arxiv', QUERY);
  await arxiv.ask('arxiv', QUERY);
  expect(arxiv.waits).toEqual([3_000]);
  const answers = ['pubmed-esearch.json', 'pubmed-efetch.xml'].map(recorded);
  const pubmed = openIndexes(server, (_request, response) => response.end(answers.shift()));
  await pubmed.ask('pubmed', QUERY);
  expect(pubmed.waits).toEqual([340]);
  await Promise.all([arxiv, pubmed].map(({ fetcher }) => fetcher.close()));
});

test('results of an index are bounded, visible, and have web addresses only', async () => {
  const { ask, fetcher } = openIndexes(server, (_request, response) =>
    response.end(
      JSON.stringify({
        results: [
          {
            url: 'javascript:alert(1)',
            title: `\u001b[31mred\u202e ${'t'.repeat(1_000)}`,
            content: 'x'.repeat(50_000),
            authors: Array(500).fill('A. Author'),
            pdf_url: 'file:///etc/passwd',
            publishedDate: 'yesterday',
            doi: 'none',
          },
          { url: 'http://user:word@example.org/', title: '' },
          { url: 7, title: ['no text'] },
          { url: 'https://example.org/bare', title: null },
        ],
      }),
    ),
  );
  const [first, ...others] = await ask('searxng', QUERY, { limit: 9 });
  expect(first).toMatchObject({
    ...nothing,
    url: null,
    title: expect.stringMatching(/^red t+…$/) as string,
    text: expect.any(String) as string,
    authors: expect.any(Array) as string[],
  });
  expect([first?.title.length, first?.text?.length, first?.authors.length]).toEqual([501, 10_001, 50]);
  expect(others).toEqual([
    { ...nothing, url: 'https://example.org/bare', title: 'https://example.org/bare' },
  ]);
  await fetcher.close();
});
