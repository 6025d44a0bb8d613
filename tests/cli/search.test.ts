import { Answer } from '../../src/contracts/answer/answer';
import { Report } from '../../src/contracts/report/report';
import { startLoggingServer } from '../support/logging-server';
import { articlePage, startSearchSite, type SearchSite } from '../support/search-site';
import { useDevProject } from './project-under-test';

const QUESTION = '"Does walking improve sleep in older adults?"';
const TRIAL = 'Walking and sleep: a trial';
const COHORT = 'Evening walks in a cohort';
const CLOSED = 'Sleep behind a wall';

let site: SearchSite;
const project = useDevProject(openSite, () => site.env);
const { colligate, read } = project;

async function openSite(): Promise<void> {
  site = await startSearchSite();
  site.pages = new Map<string, string | number>([
    [
      '/pages/trial',
      articlePage(TRIAL, [
        'Walking for 30 minutes a day improved sleep quality in 120 older adults.',
        'Sleep efficiency rose by 7 percent in the older adults who walked, and did not change in the others.',
        'Nobody dropped out of the trial, which lasted for twelve weeks.',
      ]),
    ],
    [
      '/pages/cohort',
      articlePage(COHORT, [
        'Evening walks had no effect on sleep in 300 older adults who slept well before.',
        'The cohort was followed for two years, and walking was measured by pedometers.',
      ]),
    ],
    ['/pages/closed', 403],
  ]);
  site.searxng = [
    { title: TRIAL, page: '/pages/trial' },
    { title: COHORT, page: '/pages/cohort' },
    { title: CLOSED, page: '/pages/closed' },
  ];
}

afterAll(() => site?.server.close());

test('report --search reads what an index names, and lists what was not read with the reason', async () => {
  const asked = `report ${QUESTION} --search searxng --search-rounds 2 --search-pages 20 --id found`;
  const { code, stderr } = await colligate(asked, { env: site.env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('sources searched for') });
  const { search, citations } = Report.parse(JSON.parse(await read('reports/found/report.json')));
  expect(search?.indexes).toEqual(['searxng']);
  expect(search?.rounds).toBe(2);
  expect(site.queries()).toEqual(search?.queries.map((query) => `searxng ${query}`));
  expect(search?.works.map(({ title, outcome, reason }) => ({ title, outcome, reason }))).toEqual([
    { title: TRIAL, outcome: 'read' },
    { title: COHORT, outcome: 'read' },
    { title: CLOSED, outcome: 'unread', reason: expect.stringContaining('(403)') },
  ]);
  expect(citations.map(({ title }) => title).sort()).toEqual([COHORT, TRIAL]);
  const markdown = await read('reports/found/report.md');
  expect(markdown).toMatch(
    /^> Searched: searxng, with \d queries in 2 rounds\. Of 3 found 2 were read; 1 not/m,
  );
});

test('answer --search reads no more pages than --search-pages, and says so of the others', async () => {
  const asked = `answer ${QUESTION} --search searxng --search-pages 1 --json`;
  const { code, stdout } = await colligate(asked, { env: site.env });
  expect(code).toBe(0);
  const { outcome, answer, search } = Answer.parse(JSON.parse(stdout));
  expect(outcome).toBe('answered');
  expect(answer).toMatch(/walk/i);
  const works = search?.works ?? [];
  expect(works.filter((work) => work.outcome === 'read')).toHaveLength(1);
  const unread = works.filter((work) => work.outcome === 'unread');
  expect(unread).toHaveLength(2);
  for (const { reason } of unread) expect(reason).toMatch(/search\.maxPages|\(403\)/);
});

test('chat --search looks for each question, beside the sources that it may have', async () => {
  const [before, input] = [site.queries().length, `${QUESTION.slice(1, -1)}\n/sources\n`];
  const talk = 'chat --conversation talk';
  const searching = await colligate(`${talk} --search searxng`, { env: site.env, input });
  expect(searching).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/sleep quality in 120 older adults/),
  });
  expect(searching.stderr).toContain('Conversation talk about what is searched for each question.');
  expect(site.queries().length).toBeGreaterThan(before);
  const goingOn = await colligate(talk, { input });
  expect(goingOn).toMatchObject({ code: 2, stdout: '' });
  expect(goingOn.stderr).toContain('Give --sources PATH or --search INDEXES to go on with it.');
});

const mistakes: [string, string, Record<string, string>, RegExp][] = [
  [
    'an index that there is not, first of two',
    '--search google --search arxiv',
    {},
    /--search is "google": .* there are searxng, tavily,/,
  ],
  ['no index', '--search ,', {}, /--search is "": there is no such index/],
  [
    'an index without its key',
    '--search tavily',
    {},
    /--search: tavily asks for a key; set TAVILY_API_KEY\./,
  ],
  ['an index without an address', '--search searxng', {}, /searxng has no address; set search\.searxng\.url/],
  [
    'a key that cannot be sent',
    '--search tavily',
    { TAVILY_API_KEY: 'a key\twith-spaces' },
    /the key of tavily has characters that no key has; look at TAVILY_API_KEY/,
  ],
  [
    'an address with a password',
    '--search searxng',
    { COLLIGATE_SEARXNG_URL: 'http://me:hidden@127.0.0.1/' },
    /COLLIGATE_SEARXNG_URL .*; allowed: an http or https URL without a query, a name and a password/,
  ],
  [
    'bounds out of range',
    '--search arxiv --search-rounds 9 --search-pages none',
    {},
    /--search-rounds \(flag\) is 9; allowed: .* from 1 to 5\n.*--search-pages \(flag\) is "none"; allowed: .* from 1 to 5000/,
  ],
  ['bounds of no search', '--search-rounds 2', {}, /--search-rounds needs --search\./],
];

test.each(mistakes)('%s is a usage error, and nobody is asked', async (_name, flags, env, message) => {
  const server = await startLoggingServer();
  try {
    // Whoever asked an index would come by here.
    const url = `http://127.0.0.1:${server.port}`;
    // No server is started for what is wrong.
    const elsewhere = { COLLIGATE_TAVILY_URL: url, COLLIGATE_ARXIV_URL: url, TEMPORAL_ADDRESS: '', ...env };
    const { code, stdout, stderr } = await colligate(`report ${QUESTION} ${flags}`, { env: elsewhere });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/with-spaces|\n\s+at /);
    expect(server.connections).toEqual([]);
  } finally {
    await server.close();
  }
});
