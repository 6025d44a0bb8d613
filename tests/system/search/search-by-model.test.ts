import type { Report } from '../../../src/contracts/report/report';
import { modelChoices } from '../../../src/config/model-choices';
import { startWorker, type ColligateWorker } from '../../../src/worker';
import { answersJson } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import { startModelServer, type ModelServer } from '../../model-server/model-server';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { articlePage, startSearchSite, type SearchSite } from '../../support/search-site';

const PLANNING = 'You plan what indexes of papers and pages are asked for';

let site: SearchSite;
let models: ModelServer;
let bench: RunBench;
let worker: ColligateWorker;
/** What the model says is to be asked for, one answer a call. */
let planned: string[][];
let timesAsked: number;

beforeAll(async () => {
  site = await startSearchSite();
  const good = createGoodModel();
  models = await startModelServer((request) => {
    if (!messagesOf(request).some((text) => text.startsWith(PLANNING))) return good.answer(request);
    timesAsked += 1;
    return answersJson({ queries: planned.shift() ?? [] });
  });
  bench = await openRunBench({
    env: {
      ...site.env,
      OPENAI_BASE_URL: models.baseUrl,
      COLLIGATE_MODEL_FAST: 'small',
      COLLIGATE_MODEL_STRONG: 'large',
    },
  });
  const { config, target, stores, threads, bundle } = bench;
  worker = await startWorker({ config, target, stores, threads, workflowBundle: bundle });
});
beforeEach(() => {
  timesAsked = 0;
  site.pages = new Map([
    [
      '/pages/trial',
      articlePage('Walking and sleep: a trial', [
        'Walking for 30 minutes a day improved sleep quality in 120 older adults.',
        'Sleep efficiency rose by 7 percent in the older adults who walked, and did not change in the others.',
        'Nobody dropped out of the trial, which lasted for twelve weeks.',
      ]),
    ],
    [
      '/pages/cohort',
      articlePage('Evening walks in a cohort', [
        'Evening walks had no effect on sleep in 300 older adults who slept well before.',
        'The cohort was followed for two years, and walking was measured by pedometers.',
      ]),
    ],
  ]);
  site.openalex = [
    { title: 'Walking and sleep: a trial', page: '/pages/trial', doi: '10.1000/trial', author: 'Ada Ng' },
    { title: 'Evening walks in a cohort', page: '/pages/cohort', doi: '10.1000/cohort', author: 'Bo Li' },
  ];
});
afterAll(async () => {
  await worker?.drain();
  await bench?.close();
  await models?.close();
  await site?.server.close();
});

async function reportOf(runId: string, question: string): Promise<Report> {
  const { run } = await bench.colligate.startReport({
    runId,
    question,
    engine: 'openai',
    models: modelChoices(bench.config.openai),
    search: {
      indexes: [{ name: 'openalex', settings: { url: `${site.url}/openalex`, contact: null } }],
      maxQueries: 2,
    },
    asOf: '2026-01-01T00:00:00.000Z',
    searchAttributes: true,
  });
  const closed = await run.waitUntilClosed();
  const stored = await run.report();
  if (stored === null) throw new Error(`Run ${runId} left no report: ${JSON.stringify(closed)}`);
  return stored.report;
}

test('a model says what indexes are asked for, in the words that it chose, and is asked once', async () => {
  planned = [['walking older adults sleep', 'sleep improve walking']];
  const before = site.queries().length;
  const report = await reportOf('planned', 'Does walking improve sleep in older adults?');
  expect(site.queries().slice(before).sort()).toEqual([
    'openalex sleep improve walking',
    'openalex walking older adults sleep',
  ]);
  expect(timesAsked).toBe(1);
  expect(report.search?.works.map(({ title, outcome }) => [title, outcome]).sort()).toEqual([
    ['Evening walks in a cohort', 'read'],
    ['Walking and sleep: a trial', 'read'],
  ]);
});

test('a number that the question does not have is asked of nobody: the model is told, and then goes without', async () => {
  planned = [
    ['walking sleep', 'sleep of 4321 older people walking'],
    ['walking sleep', 'walking in Ohio 2019'],
  ];
  const before = site.queries().length;
  const report = await reportOf('invented', 'Does walking change how older people sleep?');
  expect(site.queries().slice(before)).toEqual(['openalex walking sleep']);
  expect(report.warnings.map(({ code }) => code)).toContain('query-dropped');
  expect(timesAsked).toBe(2);
});
