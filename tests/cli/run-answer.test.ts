import { Answer } from '../../src/contracts/answer';
import { Report } from '../../src/contracts/report';
import { startLoggingServer } from '../support/logging-server';
import { articlePage, type SearchSite, startSearchSite } from '../support/search-site';
import type { CommandResult } from './command-line-under-test';
import { modelsAt, useDevProject } from './project-under-test';

describe('answer', () => {
  const QUESTION = 'Does yoga improve sleep quality in office workers?';
  const OBSERVED = [
    'Source: DAIL-SQL_paper.pdf (Page 3)\nContent: DAIL-SQL uses example-based learning with carefully selected demonstrations.\nSimilarity: 0.89',
    'Title: A release\nURL: https://example.org/release\nContent: DAIL-SQL was released as open source by a research group in 2023.',
  ];

  const project = useDevProject();
  const { colligate, json } = project;

  function answered({ code, stdout, stderr }: CommandResult): Answer {
    if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
    return Answer.parse(JSON.parse(stdout));
  }

  test('answer prints the answer, how sure it is, and what it cites by document', async () => {
    const { code, stdout, stderr } = await colligate(`answer "${QUESTION}" --sources notes --id yoga`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Request yoga') as string });
    expect(stdout).toMatch(/Yoga improved sleep quality scores by 2\.1 points \(p = 0\.02\).*\[1\]/);
    expect(stdout).toMatch(/^Confidence: 0\.\d+ \(\S.*\)$/m);
    expect(stdout).toMatch(
      /^Sources\n {2}\S+\.md · Yoga and sleep quality in office workers · https:\/\/journal\.example\/4\n {4}\[1\] “/m,
    );
  });

  test('--json prints the answer alone, whose claims are where they say, and show prints the same', async () => {
    const result = await colligate(`answer "${QUESTION}" --sources notes --id as-json --json`);
    const answer = answered(result);
    expect(answer).toMatchObject({ requestId: 'as-json', question: QUESTION, outcome: 'answered' });
    expect(answer.claims.length).toBeGreaterThan(0);
    for (const { text, start, end } of answer.claims) expect(answer.answer.slice(start, end)).toBe(text);
    expect(answered(await colligate('show as-json --format json'))).toEqual(answer);

    expect(await json('show as-json --claims --json')).toMatchObject({
      kind: 'claims',
      id: 'as-json',
      audit: { claims: answer.claims.length },
    });
    expect((await colligate('show as-json --claims')).stdout).toMatch(/^supported · \S+ · Answer$/m);
  });

  test('observations are read in the forms of tools, and cited by file and page or address', async () => {
    await project.write('observed.json', OBSERVED);
    const observed = '--observations observed.json --citations inline --json';
    const answer = answered(await colligate(`answer "What is DAIL-SQL?" ${observed}`));
    expect(answer.evidenceConfidence).toBe(0.8);
    expect(answer.citations.length).toBeGreaterThan(0);
    const one = await colligate(`answer - ${observed}`, { input: 'What is DAIL-SQL?\n' });
    expect(answered(one).answer).toBe(answer.answer);
  });

  test('--agent-state prints what document 001’s agent leaves in its state, behind the turns before', async () => {
    await project.write('turns.json', [{ role: 'ai', content: 'Ask me.' }]);
    const { code, stdout } = await colligate(
      `answer "${QUESTION}" --sources notes --history turns.json --id state --agent-state`,
    );
    const { answer, confidence } = answered(await colligate('show state --format json'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      messages: [
        { role: 'ai', content: 'Ask me.' },
        { role: 'human', content: QUESTION },
        { role: 'ai', content: answer },
      ],
      final_answer: answer,
      confidence_score: confidence,
      last_agent: 'synthesis',
      next_agent: 'END',
    });
    expect(confidence).toBeGreaterThan(0);
  });

  test('sources that were imported are searched by their reference', async () => {
    const { manifestRef } = await json<{ manifestRef: string }>('import notes --json');
    const answer = answered(await colligate(`answer "${QUESTION}" --manifest ${manifestRef} --json`));
    expect(answer.outcome).toBe('answered');
    const unknown = await colligate(`answer "${QUESTION}" --manifest "${'0'.repeat(64)}"`);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toMatch(/has no list of sources under it: import them again/);
  });

  test('list, status, watch and delete know answers; diff and what is for reports say that they are for reports', async () => {
    await colligate(`answer "${QUESTION}" --sources notes --id kept`);
    expect((await colligate('list')).stdout).toMatch(/^kept +answer +completed /m);
    expect((await colligate('status kept')).stdout).toMatch(/^Run +kept \(answer\)\nStatus +completed$/m);
    const watched = await colligate('watch kept');
    expect(watched.code).toBe(0);
    expect(watched.stdout).toMatch(
      /\n {2}Answer\n[\s\S]*\[1\][\s\S]*Ended: completed[\s\S]*Confidence: 0\.\d+ \(/,
    );
    expect(watched.stdout).not.toContain('[P');
    // What was shown as it was written is not shown again.
    expect(
      watched.stdout.match(/Yoga improved sleep quality scores by 2\.1 points \(p = 0\.02\)” \[1\]/g),
    ).toHaveLength(1);
    // Where watching begins behind its text, all of it is printed.
    const late = (await colligate('watch kept --after 999')).stdout;
    expect(late).toMatch(/^\S.*” \[1\]\.$/m);
    for (const line of ['diff kept yoga', 'show kept --pass 1', 'watch kept --out reports']) {
      const refused = await colligate(line);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('Run "kept" is an answer.');
    }
    expect(await colligate('delete kept')).toMatchObject({ code: 0 });
    expect((await colligate('show kept')).stderr).toContain('There is no run "kept".');
  });

  test('with an endpoint that is not listening the final output is the reply, with a notice', async () => {
    await project.write('agent.txt', 'The agent found that yoga helps.');
    const env = modelsAt('http://127.0.0.1:9/v1');
    const asked = `answer "${QUESTION}" --sources notes --no-wait`;
    // Each tries the endpoint for half a minute.
    const without = colligate(asked, { env });
    const { code, stdout, stderr } = await colligate(`${asked} --final-output agent.txt`, { env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('the reply is the given final output') as string,
    });
    expect(stdout).toMatch(
      /^The agent found that yoga helps\.\n[\s\S]*^Confidence: 0\.0 \(.*unchecked\)$[\s\S]*^Why: /m,
    );
    expect(await without).toMatchObject({ code: 3, stdout: '' });
  });

  test('what a source hides for terminals does not reach one', async () => {
    const hostile =
      'Title: \u001b]0;owned\u0007Note\nURL: https://example.org/x\nContent: Yoga \u001b[31mhelps\u001b[0m office workers sleep.';
    await project.write('hostile.txt', hostile);
    const result = await colligate('answer "Does yoga help office workers sleep?" -o hostile.txt');
    expect(result.stdout).toContain('office workers sleep');
    expect(result.stdout).not.toContain('\u001b');
  });
});

describe('--search', () => {
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
          // Contradicts the trial: this is what a second round searches for.
          'Sleep efficiency rose by 3 percent in the older adults who walked, and did not change in the others.',
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
      /Searched: searxng, with \d queries in 2 rounds\. Of 3 found 2 were read; 1 not/m,
    );
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
    [
      'an index without an address',
      '--search searxng',
      {},
      /searxng has no address; set search\.searxng\.url/,
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
});
