import type { RunEvent } from '../../../src/contracts/run/event';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import type { RunHandle } from '../../../src/client';
import { REPORT_SCRIPT } from '../../support/report-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { comparable } from '../durability/run-log';
import { reportOf, useScriptedRuns } from './scripted-runs';

const MODEL = { name: 'scripted', contextTokens: 16_000, price: null };
const MODELS = { fast: MODEL, strong: MODEL, critic: MODEL };

const runs = useScriptedRuns();

describe('limits', () => {
  it('gives the same report when every pass continues as new', async () => {
    runs.engine = createScriptedEngine(REPORT_SCRIPT);
    const undisturbed = await runs.bench.startRun('one-history', {});
    const split = await runs.bench.startRun('many-histories', { continueAsNewAfterEvents: 1 });
    expect(await undisturbed.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(await split.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(comparable(await reportOf(split))).toEqual(comparable(await reportOf(undisturbed)));
    const histories = await until(
      async () => {
        const found: string[] = [];
        const query = 'WorkflowId = "many-histories"';
        for await (const info of runs.bench.client.workflow.list({ query })) found.push(info.status.name);
        return found;
      },
      (found) => found.includes('COMPLETED'),
    );
    expect(histories.filter((status) => status === 'CONTINUED_AS_NEW')).toHaveLength(4);
    const keys = async (runId: string): Promise<string[]> =>
      (await eventsOf(runId)).map((event) => event.key).sort();
    expect(await keys('many-histories')).toEqual(await keys('one-history'));
    expect(await split.passResult('overview')).toEqual(await undisturbed.passResult('overview'));
    expect(await attributesOf('many-histories')).toEqual(await attributesOf('one-history'));
  });

  it('ends with a partial report when its time is up', async () => {
    const run = await runOutOfTimeInChecks();
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect(await executionStatus(run.runId)).toBe('COMPLETED');
    const { report, markdown } = await reportOf(run);
    expect(report.status).toBe('partial');
    expect(markdown).toContain('The time allowed for the run was over before it was finished.');
    expect(markdown).toContain('Black tea had no effect on attention in 30 drivers');
  });

  /** A run whose time will be over while its findings are checked: it is given as much as it needs to get there. */
  async function runOutOfTimeInChecks(): Promise<RunHandle> {
    for (let maxTimeMs = 3_000; ; maxTimeMs *= 3) {
      const engine = createScriptedEngine(REPORT_SCRIPT);
      const hold = engine.hold('cross-check');
      runs.engine = engine;
      const request = runs.bench.request({ runId: `late-${maxTimeMs}`, budget: { maxTimeMs } });
      const { run } = await runs.bench.colligate.startReport(request);
      const wasInTime = await Promise.race([
        hold.reached.then(() => true),
        run.waitUntilClosed().then(() => false),
      ]);
      if (wasInTime) return run;
    }
  }

  it('quotes where the budget has no room to ask a model, and never loses the report', async () => {
    const usage = { calls: 1, cachedCalls: 0, inputTokens: 900, outputTokens: 100, costUsd: 0 };
    const engine = createScriptedEngine(REPORT_SCRIPT, { name: 'openai', usage });
    runs.engine = engine;
    const budget = { maxTokens: 60_000 };
    const request = runs.bench.request({ runId: 'poor', engine: 'openai', models: MODELS, budget });
    const { run } = await runs.bench.colligate.startReport(request);
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    const { report, markdown } = await reportOf(run);
    expect(report.warnings.map((warning) => warning.code)).toContain('budget');
    expect(report.warnings.map((warning) => warning.message).join()).toMatch(/done by quoting instead/);
    expect(report.sections.map((section) => section.title)).toEqual(['Walking', 'Tea']);
    expect(report.claims.length).toBeGreaterThan(0);
    expect(markdown).toContain('## Walking');
    // What was done by quoting was no call.
    expect(report.usage.calls).toBeLessThan(engine.calls.length);
    expect(report.usage.inputTokens + report.usage.outputTokens).toBeLessThanOrEqual(budget.maxTokens);
  });

  it('ends partial, with the reason, when a step cannot be carried out and nothing stands in for it', async () => {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    engine.failOnce('summarise', new StepFailedError('summarise', [{ path: 'summaries', message: 'none' }]));
    runs.engine = engine;
    const { run } = await runs.bench.colligate.startReport(runs.bench.request({ runId: 'failing' }));
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect((await eventsOf('failing')).at(-1)).toMatchObject({ type: 'run-completed' });
    expect((await reportOf(run)).markdown).toMatch(
      /Pass 0 could not be finished \(Step summarise gave an output that breaks its contract/,
    );
    expect(await run.progress()).toMatchObject({ status: 'partial' });
  });
});

function eventsOf(runId: string): Promise<RunEvent[]> {
  return runs.bench.stores.events.read(runId);
}

async function executionStatus(runId: string): Promise<string> {
  return (await runs.bench.client.workflow.getHandle(runId).describe()).status.name;
}

async function attributesOf(runId: string): Promise<Record<string, unknown>> {
  const { typedSearchAttributes } = await runs.bench.client.workflow.getHandle(runId).describe();
  const ours = typedSearchAttributes.getAll().filter(({ key }) => key.name.startsWith('Colligate'));
  return Object.fromEntries(ours.map(({ key, value }) => [key.name, value]));
}
