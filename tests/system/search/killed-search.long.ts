import type { ReportRequest } from '../../../src/client';
import type { Report } from '../../../src/contracts/report';
import { createPageCache } from '../../../src/sources/pages';
import { type KillBench, openKillBench } from '../../support/kills/kill-bench';
import { comparable, type RunRecord } from '../../support/kills/run-record';
import { articlePage, type SearchSite, startSearchSite } from '../../support/search-site';
import { until } from '../../support/until';

/** More than an activity reads. */
const PAGES = 30;

let site: SearchSite;
let bench: KillBench;

beforeAll(async () => {
  site = await startSearchSite();
  for (let n = 1; n <= PAGES; n += 1) {
    const title = `Walking study ${n} of sleep`;
    const page = `/pages/study-${n}`;
    site[n % 2 === 0 ? 'openalex' : 'searxng'].push({
      title,
      page,
      doi: `10.1000/study-${n}`,
      author: `A. Author${n}`,
    });
    site.pages.set(
      page,
      articlePage(title, [
        `In study ${n} walking improved sleep quality by ${n} percent in ${100 + n} older adults.`,
        `The walks of study ${n} took ${20 + n} minutes each, and nobody of the older adults dropped out of it.`,
      ]),
    );
  }
  bench = await openKillBench({ env: site.env });
});

afterAll(async () => {
  await bench?.close();
  await site?.server.close();
});

function request(runId: string): ReportRequest {
  const asked = (name: 'openalex' | 'searxng') => ({
    name,
    settings: { url: `${site.url}/${name}`, contact: null },
  });
  const { sources: _none, ...common } = bench.request(runId, {
    question: 'Does walking improve sleep in older adults?',
    paths: [],
  });
  return { ...common, search: { indexes: [asked('openalex'), asked('searxng')], maxPages: PAGES } };
}

/** Holds what is asked for from the `nth` such request on; `reached` resolves when so many are held. */
function holdFrom(
  nth: number,
  isCounted: (path: string) => boolean,
  held = 1,
): { reached: Promise<void>; letGo(): void } {
  let seen = 0;
  let waiting = 0;
  let reach = (): void => undefined;
  let letGo = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  site.before = async (path) => {
    if (!isCounted(path)) return;
    seen += 1;
    if (seen < nth) return;
    waiting += 1;
    if (waiting === held) reach();
    await released;
  };
  return { reached, letGo };
}

/** A worker is killed once what was served is kept, while further requests are held. */
async function killedWhile(
  hold: { reached: Promise<void>; letGo(): void },
  pagesKept: number,
): Promise<void> {
  const worker = await bench.startWorker();
  await hold.reached;
  const kept = createPageCache(bench.stores.derived, { runId: 'looks' });
  const served = site.served().filter((path) => path.startsWith('/pages/'));
  expect(served).toHaveLength(pagesKept);
  for (const path of served)
    await until(
      () => kept.find(`${site.url}${path}`),
      (found) => found !== null,
    );
  await worker.kill();
  hold.letGo();
}

const isPage = (path: string): boolean => path.startsWith('/pages/');
const isQuery = (path: string): boolean => !isPage(path);

test('a report that searches outlives three killed workers: no query and no page is had twice, and it has the same bytes', async () => {
  // Each index is asked its second query when its first answer is kept.
  const asking = holdFrom(3, isQuery, 2);
  await bench.colligate.startReport(request('disturbed'));
  await killedWhile(asking, 0);
  // Six pages are on their way at a time.
  const reading = holdFrom(5, isPage);
  await killedWhile(reading, 4);
  const further = holdFrom(24, isPage);
  await killedWhile(further, 27);
  site.before = async () => undefined;
  await bench.startWorker();
  const disturbed = await bench.finished('disturbed');
  const had = site.served();
  expect(had.filter(isQuery)).toHaveLength(6);
  expect(had.filter(isPage)).toHaveLength(PAGES);
  expect(new Set(had).size).toBe(had.length);

  await bench.colligate.startReport(request('undisturbed'));
  const model = await bench.finished('undisturbed');
  expect(withoutTimes(disturbed)).toEqual(withoutTimes(model));
  expect(disturbed.report.search?.works.map(({ outcome }) => outcome)).toEqual(Array(PAGES).fill('read'));
  expect(disturbed.report.claims.length).toBeGreaterThan(0);
});

/** When a page was fetched is another time in each run. */
function withoutTimes({ report, markdown }: RunRecord): unknown {
  const citations = report.citations.map((citation) => ({ ...citation, accessedAt: '' }));
  const told = (text: string): string => text.replace(/Accessed \d{4}-\d\d-\d\d\./g, 'Accessed.');
  const { judge } = report;
  const versions = judge?.versions.map((version) => ({ ...version, reportRef: '' })) ?? [];
  const timeless: Report = {
    ...report,
    citations,
    markdown: told(report.markdown),
    judge: judge === null ? null : { ...judge, versions },
  };
  return comparable({ report: timeless, markdown: told(markdown) });
}
