import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { until } from '../../support/until';
import { articlePage, startSearchSite, type SearchSite } from '../../support/search-site';

let site: SearchSite;
let bench: RunBench;

beforeAll(async () => {
  site = await startSearchSite();
  site.pages.set(
    '/pages/trial',
    articlePage('Walking and sleep: a trial', [
      'Walking for 30 minutes a day improved sleep quality in 120 older adults.',
      'Nobody dropped out of the trial, which lasted for twelve weeks and was done in two towns.',
    ]),
  );
  bench = await openRunBench({ env: site.env });
  await bench.startWorker({ extractive: createExtractiveEngine(bench) });
});

afterAll(async () => {
  await bench?.close();
  await site?.server.close();
});

function asked(requestId: string): Parameters<typeof bench.colligate.answer>[0] {
  const search = {
    indexes: [{ name: 'searxng' as const, settings: { url: `${site.url}/searxng`, contact: null } }],
  };
  return { requestId, question: 'Does walking improve sleep?', search, searchAttributes: true };
}

test('an answer looks for what it rests on, and says what it found', async () => {
  site.searxng = [{ title: 'Walking and sleep: a trial', page: '/pages/trial' }];
  const reply = await bench.colligate.answer(asked('answer-searches'));
  expect(reply.outcome).toBe('answered');
  expect(reply.answer).toContain('improved sleep quality in 120 older adults');
  expect(reply.search?.works.map(({ outcome }) => outcome)).toEqual(['read']);
});

test('an answer that finds nothing says so', async () => {
  site.searxng = [];
  const reply = await bench.colligate.answer(asked('answer-finds-nothing'));
  expect(reply.outcome).not.toBe('answered');
  expect(JSON.stringify(reply.diagnostics.warnings)).toContain('the search of searxng');
});

test('a schedule searches anew whenever it fires', async () => {
  site.searxng = [{ title: 'Walking and sleep: a trial', page: '/pages/trial' }];
  const { search } = asked('unused');
  await bench.colligate.createSchedule({
    name: 'searches',
    times: { cron: '0 0 1 1 *' },
    run: { report: { question: 'Does walking improve sleep?', search, searchAttributes: true } },
  });
  const before = site.queries().length;
  const schedule = bench.colligate.schedule('searches');
  await schedule.trigger();
  await until(
    async () => (await schedule.describe()).firings,
    (firings) => firings.some(({ status }) => status === 'completed'),
  );
  expect(site.queries().length).toBeGreaterThan(before);
});
