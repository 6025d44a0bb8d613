import type { ReportRequest } from '../../../src/client';
import { RUN_SHAPE } from '../../../src/core/run/run-shape';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { CROWD_QUESTION, CROWDS, type CrowdName } from '../../support/crowds/crowds';
import { ended } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { cases, LONG } from '../../support/long';
import { openRunBench } from '../../support/run-bench';
import { until } from '../../support/until';

/** What the server takes in one message. */
const MESSAGE_BYTES = 4_000_000;

const bench = forAllTests(async () => {
  const runs = await openRunBench();
  await runs.startWorker({ extractive: createExtractiveEngine(runs) });
  return runs;
});

const crowd = (name: CrowdName, count: number): ReportRequest['sources'] => ({
  records: [...CROWDS[name](count)],
});

async function describeRun(runId: string): Promise<{ ended: boolean; pending: number; bytes: number }> {
  const { status, raw } = await bench.client.workflow.getHandle(runId).describe();
  return {
    ended: status.name !== 'RUNNING',
    pending: raw.pendingActivities?.length ?? 0,
    bytes: Number(raw.workflowExecutionInfo?.historySizeBytes ?? 0),
  };
}

/** Looks on until the run has ended; the most activities that were under way at once. */
async function mostUnderWay(runId: string): Promise<number> {
  let most = 0;
  await until(
    async () => {
      const described = await describeRun(runId);
      most = Math.max(most, described.pending);
      return described;
    },
    ({ ended }) => ended,
  );
  return most;
}

describe('a run over very many sources', () => {
  it.each([
    // As many as fill more than half of what may be under way.
    ['tiny', cases(1_500, 5_000)] as const,
    ...(LONG ? [['alike', 2_000] as const] : []),
  ])('ends with a report, with no more under way than it may: %s', async (name, count) => {
    const run = await bench.report(name, { question: CROWD_QUESTION, sources: crowd(name, count) });
    const most = await mostUnderWay(name);
    expect(most).toBeGreaterThan(RUN_SHAPE.atOnce / 2);
    expect(most).toBeLessThanOrEqual(RUN_SHAPE.atOnce);
    const { status, report } = await ended(run);
    expect(status).toBe('completed');
    expect(report.sources.total).toBe(count);
    expect(report.claims.length).toBeGreaterThan(0);
    const catalogue = await run.passResult('gather');
    expect(catalogue?.sources).toHaveLength(count);
    const copies = catalogue?.sources.filter(({ nearDuplicateOf }) => nearDuplicateOf !== undefined);
    expect(copies).toHaveLength(name === 'alike' ? count - 1 : 0);
  });

  it('tells a thousand rules on quality to the one activity that needs them', async () => {
    const sourceQualityRules = Array.from({ length: 1_000 }, (_, at) => ({
      level: 'general' as const,
      reason: `rule ${at}: ${'words on why it holds '.repeat(8)}`,
      domains: [`host-${at}.example`],
    }));
    const synthesis = { ...bench.config.synthesis, sourceQualityRules };
    expect(40 * JSON.stringify(synthesis).length).toBeGreaterThan(MESSAGE_BYTES);
    const sources = crowd('tiny', cases(600, 2_000));
    const run = await bench.report('many-rules', { question: CROWD_QUESTION, sources, synthesis });
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect((await describeRun('many-rules')).bytes).toBeLessThan(MESSAGE_BYTES / 4);
  });

  it('takes rules that are part of its input as well', async () => {
    const rule = { level: 'authoritative' as const, reason: 'the house itself', domains: ['example.org'] };
    const synthesis = { ...bench.config.synthesis, sourceQualityRules: [rule] };
    const run = await bench.startRun('rules-in-input', { synthesis });
    await run.waitUntilClosed();
    const catalogue = await run.passResult('gather');
    expect(new Set(catalogue?.sources.map(({ quality }) => quality.reason))).toEqual(
      new Set(['example.org: the house itself']),
    );
  });
});
