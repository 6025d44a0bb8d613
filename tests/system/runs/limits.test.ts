import { StepFailedError } from '../../../src/engines/step-failed-error';
import type { RunHandle } from '../../../src/client';
import { BY_MODEL } from '../../support/answer-script';
import { attributesOf, ended } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { executionStatuses } from '../../support/pending-activities';
import { openScriptedBench } from '../../support/run-bench';
import { until } from '../../support/until';
import { comparable } from '../../support/kills/run-record';

const bench = forAllTests(openScriptedBench);

it('a run gives the same report when every pass continues as new', async () => {
  bench.play();
  const undisturbed = await ended(bench.startRun('one-history', {}));
  const split = await ended(bench.startRun('many-histories', { continueAsNewAfterEvents: 1 }));
  expect([undisturbed.status, split.status]).toEqual(['completed', 'completed']);
  expect(comparable(split)).toEqual(comparable(undisturbed));
  const histories = await until(
    () => executionStatuses(bench.client, 'many-histories'),
    (found) => found.includes('COMPLETED'),
  );
  expect(histories.filter((status) => status === 'CONTINUED_AS_NEW')).toHaveLength(4);
  const keys = async (runId: string): Promise<string[]> =>
    (await bench.eventsOf(runId)).map((event) => event.key).sort();
  expect(await keys('many-histories')).toEqual(await keys('one-history'));
  expect(await split.run.passResult('overview')).toEqual(await undisturbed.run.passResult('overview'));
  expect(await attributesOf(bench, 'many-histories')).toEqual(await attributesOf(bench, 'one-history'));
});

/** A run whose time will be over while its findings are checked: it is given as much as it needs to get there. */
async function runOutOfTimeInChecks(): Promise<RunHandle> {
  for (let maxTimeMs = 3_000; ; maxTimeMs *= 3) {
    const hold = bench.play().hold('cross-check');
    const run = await bench.report(`late-${maxTimeMs}`, { budget: { maxTimeMs } });
    const wasInTime = await Promise.race([
      hold.reached.then(() => true),
      run.waitUntilClosed().then(() => false),
    ]);
    if (wasInTime) return run;
  }
}

it('a run ends with a partial report when its time is up', async () => {
  const { run, status, report, markdown } = await ended(runOutOfTimeInChecks());
  expect([status, report.status]).toEqual(['partial', 'partial']);
  expect((await bench.client.workflow.getHandle(run.runId).describe()).status.name).toBe('COMPLETED');
  expect(markdown).toContain('The time allowed for the run was over before it was finished.');
  expect(markdown).toContain('Black tea had no effect on attention in 30 drivers');
});

it('a run quotes where the budget has no room to ask a model, and never loses the report', async () => {
  const usage = { calls: 1, cachedCalls: 0, inputTokens: 900, outputTokens: 100, costUsd: 0 };
  bench.play({}, { name: 'openai', usage });
  const budget = { maxTokens: 60_000 };
  const { status, report, markdown } = await ended(bench.report('poor', { ...BY_MODEL, budget }));
  expect(status).toBe('partial');
  expect(report.warnings.map(({ code }) => code)).toContain('budget');
  expect(report.warnings.map(({ message }) => message).join()).toMatch(/done by quoting instead/);
  expect(report.sections.map(({ title }) => title)).toEqual(['Walking', 'Tea']);
  expect(report.claims.length).toBeGreaterThan(0);
  expect(markdown).toContain('## Walking');
  // What was done by quoting was no call.
  expect(report.usage.calls).toBeLessThan(bench.engine.calls.length);
  expect(report.usage.inputTokens + report.usage.outputTokens).toBeLessThanOrEqual(budget.maxTokens);
});

it('a run ends partial, with the reason, when a step cannot be carried out and nothing stands in for it', async () => {
  const problem = new StepFailedError('summarise', [{ path: 'summaries', message: 'none' }]);
  bench.play().failOnce('summarise', problem);
  const { run, status, markdown } = await ended(bench.report('failing'));
  expect(status).toBe('partial');
  expect((await bench.eventsOf('failing')).at(-1)).toMatchObject({ type: 'run-completed' });
  expect(markdown).toMatch(
    /Pass 0 could not be finished \(Step summarise gave an output that breaks its contract/,
  );
  expect(await run.progress()).toMatchObject({ status: 'partial' });
});

it('a run takes the longest waits and the largest limits that a start may name', async () => {
  bench.play();
  const most = Number.MAX_SAFE_INTEGER;
  const waits = { firstWaitMs: most, queueMs: most, heartbeatMs: most, attempts: 1_000_000 };
  const run = await bench.startRun('longest', {
    outages: { patienceMs: 604_800_000, afterwards: 'park', ...waits },
    budget: { maxTokens: most, maxCostUsd: Number.MAX_VALUE, maxTimeMs: most },
  });
  expect(await run.waitUntilClosed({ signal: AbortSignal.timeout(60_000) })).toEqual({
    status: 'completed',
  });
});
