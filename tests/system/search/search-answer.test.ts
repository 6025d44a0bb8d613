import { createExtractiveEngine } from '../../../src/engines/extractive/module';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { articlePage, type SearchSite, startSearchSite } from '../../support/search-site';

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

test('an answer gives up where nothing can be read, and says so of what it did not try', async () => {
  site.searxng = [1, 2, 3, 4].map((nth) => ({
    title: `Walking and sleep ${nth}`,
    page: `/pages/closed-${nth}`,
  }));
  for (const { page = '' } of site.searxng) site.pages.set(page, 403);
  const before = site.fetched().length;
  const request = asked('answer-gives-up');
  const reply = await bench.colligate.answer({
    ...request,
    search: { indexes: request.search?.indexes ?? [], maxPages: 1 },
  });
  const reasons = reply.search?.works.map(({ reason }) => reason) ?? [];
  expect(reasons.filter((reason) => reason?.includes('(403)'))).toHaveLength(3);
  expect(reasons.filter((reason) => reason?.includes('could not be read'))).toHaveLength(1);
  expect(site.fetched().slice(before)).toHaveLength(3);
});
