import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import type { Report } from '../../../src/contracts/report/report';
import type { RunSearch } from '../../../src/contracts/run/search';
import { articlePage, startSearchSite, type SearchSite } from '../../support/search-site';
import { openRunBench, type RunBench } from '../../support/run-bench';

const QUESTION = 'Does walking improve sleep in older adults?';

let site: SearchSite;
let bench: RunBench;

beforeAll(async () => {
  site = await startSearchSite();
  bench = await openRunBench({ env: site.env });
  await bench.startWorker({ extractive: createExtractiveEngine(bench) });
});

afterAll(async () => {
  await bench?.close();
  await site?.server.close();
});

function searching(bounds: Partial<RunSearch> = {}): { indexes: RunSearch['indexes'] } & Partial<RunSearch> {
  const asked = (name: 'openalex' | 'searxng') => ({
    name,
    settings: { url: `${site.url}/${name}`, contact: null },
  });
  return { indexes: [asked('openalex'), asked('searxng')], ...bounds };
}

async function reportOf(runId: string, bounds: Partial<RunSearch> = {}): Promise<Report> {
  const { run } = await bench.colligate.startReport({
    runId,
    question: QUESTION,
    search: searching(bounds),
    asOf: '2026-01-01T00:00:00.000Z',
    searchAttributes: true,
  });
  await run.waitUntilClosed();
  const stored = await run.report();
  if (stored === null) throw new Error(`Run ${runId} left no report.`);
  return stored.report;
}

/** Pages on walking, as indexes and other pages name them. */
function walkingStudies(): void {
  site.pages = new Map<string, string | number>([
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
    ['/pages/private', 403],
    [
      '/pages/old',
      articlePage('Walking cures insomnia', [
        'Walking cured insomnia in all of the 40 older adults who took part in the study of walking and sleep.',
        'Sleep was improved by walking on the very first day.',
      ]),
    ],
  ]);
  site.openalex = [
    { title: 'Walking and sleep: a trial', page: '/pages/trial', doi: '10.1000/trial', author: 'Ada Ng' },
    {
      title: 'Walking cures insomnia',
      page: '/pages/old',
      doi: '10.1000/old',
      author: 'B. Fake',
      isRetracted: true,
    },
    { title: 'Sleep behind a wall', page: '/pages/private', doi: '10.1000/private', author: 'C. Closed' },
  ];
  site.searxng = [
    { title: 'A trial of walking and sleep', page: '/pages/trial?utm_source=index', doi: '10.1000/TRIAL' },
    { title: 'Evening walks in a cohort', page: '/pages/cohort', abstract: 'Evening walks and sleep.' },
  ];
}

describe('a report that looks for its sources', () => {
  beforeEach(walkingStudies);

  it('reads what indexes name, each work once, and says of everything what became of it', async () => {
    const report = await reportOf('search-whole');
    expect(report.status).toBe('completed');
    expect(site.queries()).toEqual(['openalex walking sleep older adults']);
    expect(report.search).toEqual({});
    expect(report.markdown).toBe('');
  });
});
