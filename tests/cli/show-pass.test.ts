import { Outline } from '../../src/contracts/report/outline';
import { SourceCatalogue } from '../../src/contracts/source/source';
import type { Hold } from '../support/kills/hold';
import { openKillBench, type HoldingWorker, type KillBench } from '../support/kills/kill-bench';
import { NOTES } from '../support/kills/material';
import { until } from '../support/until';
import { wordsOf, type CommandResult } from './command-line-under-test';

/** One section of each run is held when its findings are to be extracted. */
const SHOWN: Hold = { runId: 'shown', at: 'asked', step: 'extract-findings' };
const STOPPED: Hold = { runId: 'stopped', at: 'asked', step: 'extract-findings' };

let bench: KillBench;
let worker: HoldingWorker;
let outline: Outline;
let catalogue: SourceCatalogue;

beforeAll(async () => {
  bench = await openKillBench();
  worker = await bench.startHoldingWorker([SHOWN, STOPPED]);
  for (const hold of [SHOWN, STOPPED]) {
    const run = await bench.start(hold.runId, NOTES);
    await worker.holds(hold);
    // The other sections are done.
    await until(
      () => bench.pending(hold.runId),
      (activities) => activities.length === 1,
    );
    outline = Outline.parse(await run.outline());
    expect(outline.sections.length).toBeGreaterThan(1);
    catalogue = SourceCatalogue.parse(await run.passResult('gather'));
  }
});
afterAll(() => bench.close());

/** All sections but the one that is held. */
const done = (): string => `${outline.sections.length - 1} of ${outline.sections.length}`;

const show = (line: string): Promise<CommandResult> => bench.commandHere('show', ...wordsOf(line)).ended;

async function shown(flags: string): Promise<string> {
  const { code, stdout, stderr } = await show(`shown ${flags}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test('while a run goes on, what its passes have left so far can be read', async () => {
  const overview = await shown('--pass 1');
  expect(overview).toContain(outline.overallTheme);
  for (const { title, description } of outline.sections) {
    expect(overview).toMatch(new RegExp(`^## \\d\\. ${title}\\n\\n${description}`, 'm'));
  }
  for (const { id, title } of catalogue.sources) {
    const isRelevant = outline.sections.some(
      ({ relevantSources, subsections }) =>
        relevantSources.some(({ sourceId }) => sourceId === id) ||
        subsections.some(({ sourceIds }) => sourceIds.includes(id)),
    );
    expect(overview.includes(`\`${id}\``)).toBe(isRelevant);
    if (isRelevant) expect(overview).toContain(title.split(/[[:]/)[0]);
  }
  expect(overview).toMatch(/^- 0\.\d\d highly relevant: \w+ \d{4}, “/m);
  expect(await shown('--pass 0')).toContain(`${catalogue.sources.length} sources`);
  expect(JSON.parse(await shown('--pass 1 --json'))).toMatchObject({
    id: 'shown',
    pass: { number: 1, name: 'overview' },
    result: outline,
  });
});

test('a pass that is not done yet is a mistake that says how far the run is', async () => {
  const result = await show('shown --pass 2');
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toContain(
    `Pass 2 of run shown is not done yet. The run is running, and at “Pass 2: Deep diving into top 16 sources”, ${done()} sections done (pass 2 of 4).`,
  );
  const json = await show('shown --pass 3 --json');
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toEqual({
    error: { code: 'usage', message: expect.stringMatching(/^Pass 3 of run shown is not done yet/) },
  });
  const report = await show('shown');
  expect(report.stderr).toMatch(/Run shown is running and has no report yet\. .*--pass 1/);
});

test.each(['4', 'two', '-1', '1.5', ''])('%p is no pass that leaves something', async (pass) => {
  const result = await show(`shown --pass "${pass}"`);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(/--pass.*it has to be 1, 2 or 3, or 0 for the sources gathered/);
});
