import {
  InvalidRequestError,
  RunContentGoneError,
  RunNotFoundError,
  RunWithoutReportError,
  type ColligateClient,
} from '../../../src/client';
import { forAllTests } from '../../support/for-all-tests';
import { SOURCES } from '../../support/report-script';
import { openRunBench } from '../../support/run-bench';

/** Payloads are encrypted, so that what a run was given is read as a client with the key reads it. */
const KEYS = `key:${Buffer.alloc(32, 1).toString('base64')}`;
const bench = forAllTests(() => openRunBench({ env: { COLLIGATE_ENCRYPTION_KEYS: KEYS } }));
afterEach(() => bench.rest());

/** A client whose store has lost the texts of which `isLost` is true. */
function clientWithout(isLost: (text: string) => boolean): ColligateClient {
  const { content } = bench.stores;
  const losing = Object.assign(Object.create(content) as typeof content, {
    retrieve: async (ref: string) => {
      const text = await content.retrieve(ref);
      return text === null || isLost(text) ? null : text;
    },
  });
  return bench.colligateOn({ ...bench.stores, content: losing });
}

const isSource = (text: string): boolean => SOURCES.some(({ content }) => content === text);

it('shows each quote of a report with the text around it, and without where that is gone', async () => {
  bench.play();
  await bench.startWorker();
  const run = await bench.report('a-report');
  await run.waitUntilClosed();
  const page = await bench.colligate.export('a-report', 'html', { texts: 'all' });
  expect(page).toMatchObject({ name: 'report.html', mediaType: 'text/html; charset=utf-8' });
  expect(page.content).toContain('Nobody dropped out.');
  const without = await clientWithout(isSource).export('a-report', 'html', { texts: 'all' });
  expect(without.content).not.toContain('Nobody dropped out.');
  // No licence of theirs is known.
  const cut = await bench.colligate.export('a-report', 'html');
  expect(cut.content).not.toContain('Nobody dropped out.');
  expect(cut.content).toContain('no licence of the source is known');
  const csv = await bench.colligate.export('a-report', 'csv');
  expect(csv.name).toBe('report.csv');
  expect(await clientWithout(isSource).export('a-report', 'csv')).toEqual(csv);
  await expect(clientWithout(() => true).export('a-report', 'csv')).rejects.toThrow(RunContentGoneError);
});

it('tells what a claim rests on, with its quote marked in the passage', async () => {
  bench.play();
  await bench.startWorker();
  const run = await bench.report('a-claim');
  await run.waitUntilClosed();
  const stored = await run.report();
  const claim = stored?.report.claims.find(({ evidence }) => evidence.length > 0);
  const told = await bench.colligate.evidence('a-claim', claim?.id ?? '', { texts: 'all' });
  expect(told).toMatchObject({
    runId: 'a-claim',
    kind: 'report',
    claim: { text: claim?.text, stands: true, verdict: claim?.verdict, reason: claim?.reason },
  });
  const [passage] = told.passages;
  const source = SOURCES.find(({ title }) => title === passage?.source.title);
  expect(passage?.text.slice(passage.quote.start, passage.quote.end)).toBe(claim?.evidence[0]?.quote);
  expect(source?.content.slice(passage?.at.start, passage?.at.end)).toBe(claim?.evidence[0]?.quote);
  expect(source?.content).toContain(passage?.text);
  expect(passage?.text).not.toBe(claim?.evidence[0]?.quote);
  const cut = await bench.colligate.evidence('a-claim', claim?.id ?? '');
  expect(cut.passages[0]).toMatchObject({ text: claim?.evidence[0]?.quote, withheld: 'licence' });
  await expect(bench.colligate.evidence('a-claim', 'C999')).rejects.toThrow(
    /has no claim "C999"; it has: \S/,
  );
  await expect(bench.colligate.evidence('nobody', 'C1')).rejects.toThrow(RunNotFoundError);
});

it('refuses a run that goes on, one that nobody knows, and a form that there is not', async () => {
  const hold = bench.play().hold('outline');
  await bench.startWorker();
  const run = await bench.report('held');
  await hold.reached;
  await expect(bench.colligate.export('held', 'csv')).rejects.toThrow(RunWithoutReportError);
  hold.release();
  await run.waitUntilClosed();
  await expect(bench.colligate.export('nobody', 'csv')).rejects.toThrow(RunNotFoundError);
  const unknown = 'odt' as 'csv';
  await expect(bench.colligate.export('held', unknown)).rejects.toThrow(InvalidRequestError);
  const unheardOf = { texts: 'some' as 'all' };
  await expect(bench.colligate.export('held', 'html', unheardOf)).rejects.toThrow(InvalidRequestError);
});
