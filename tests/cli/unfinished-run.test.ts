import type { Hold } from '../support/kills/hold';
import { openKillBench, type KillBench } from '../support/kills/kill-bench';
import { NOTES } from '../support/kills/material';
import { until } from '../support/until';

/** One section is held when its findings are to be extracted. */
const HELD: Hold = { runId: 'held', at: 'asked', step: 'extract-findings' };

/** What a line tells where no line can be redrawn. */
const COUNTED = /^Pass 2\/4 · .* · (\d+ of \d+) sections read · [\d:]+ · (.+)$/m;

let bench: KillBench;

beforeAll(async () => {
  bench = await openKillBench();
  const worker = await bench.startHoldingWorker([HELD]);
  await bench.start('held', NOTES);
  await worker.holds(HELD);
  await until(
    () => bench.pending('held'),
    (activities) => activities.length === 1,
  );
});
afterAll(() => bench.close());

/** What a page tells of where the run is, by its labels. */
function factsOf(page: string): Map<string, string> {
  const rows = page.matchAll(/<dt>([^<]*)<\/dt>\s*<dd[^>]*>([^<]*)<\/dd>/g);
  return new Map([...rows].map(([, label = '', text = '']) => [label, text]));
}

async function page(id: string, remark = `Run ${id} goes on: `): Promise<string> {
  const { code, stdout, stderr } = await bench.commandHere('export', id, '--format', 'html').ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(new RegExp(remark === '' ? '^$' : `^${remark}.*\n$`));
  return stdout;
}

async function statusOf(id: string): Promise<string> {
  return (await bench.commandHere('status', id).ended).stdout;
}

test('a run in the midst of a pass is told alike by watch, status and its page', async () => {
  const watching = bench.commandHere('watch', 'held');
  await watching.said(COUNTED);
  watching.stop();
  const said = (await watching.ended).stderr;
  const written = await page('held');
  const facts = factsOf(written);
  const [, done = '', section = ''] = COUNTED.exec(said) ?? [];
  expect(facts.get('At')).toMatch(/^Pass 2: Deep diving into top 16 sources… \(2 of 4\)$/);
  expect(facts.get('Sections')).toBe(`${done} read, now “${section}”`);
  expect(facts.get('Used')).toBe('no call to a model');
  const status = await statusOf('held');
  for (const [label, text] of facts) expect(status).toContain(`${label.padEnd(8)} ${text}`);
  expect(`${said}${written}${status}`).not.toMatch(/\d %/);
  expect(written).toMatch(/The run goes on\. This page tells of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  // What loads it anew, and nothing else.
  expect(written.match(/<script/g)).toHaveLength(1);
});

test('a pause is told with since when, and a cancelled run has its report as its page', async () => {
  const run = bench.colligate.run('held');
  await run.pause();
  await until(async () => (await run.progress()).status === 'pausing');
  const facts = factsOf(await page('held'));
  expect(facts.get('Status')).toBe('pausing');
  expect(facts.get('Waiting')).toMatch(
    /^for somebody to resume it since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
  );
  expect(await statusOf('held')).toContain(`Waiting  ${facts.get('Waiting')}`);
  await run.cancel();
  await run.waitUntilClosed();
  const left = await page('held', '');
  expect(left).not.toContain('Where the run is');
  expect(left).toContain('id="sources"');
});

test('a failed run without a report says so, and why', async () => {
  await bench.client.workflow.start('report', {
    taskQueue: bench.config().temporal.taskQueue,
    workflowId: 'half',
    args: [{ question: 'Half a question?' }],
  });
  await bench.colligate.run('half').waitUntilClosed();
  const written = await page('half', 'Run half left no report: ');
  expect(written).toContain('The run has ended, is failed, and left no report.');
  expect(factsOf(written).get('Because')).toMatch(/manifestRef is missing/);
  const { code, stderr } = await bench.commandHere('export', 'half', '--format', 'csv').ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/Run half is failed and has no report/);
});
