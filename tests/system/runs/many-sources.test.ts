import { randomUUID } from 'node:crypto';
import type { ReportRequest } from '../../../src/client';
import { RUN_SHAPE } from '../../../src/contracts/run-protocol';
import { createExtractiveEngine } from '../../../src/engines/extractive/module';
import { CROWD_QUESTION, tinySources } from '../../support/crowds/crowds';
import { ended } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { openRunBench } from '../../support/run-bench';

/** What the server takes in one message. */
const MESSAGE_BYTES = 4_000_000;

const bench = forAllTests(async () => {
  const runs = await openRunBench();
  await runs.startWorker({ extractive: createExtractiveEngine(runs) });
  return runs;
});

const crowd = (count: number): ReportRequest['sources'] => ({ records: [...tinySources(count)] });

/** The most activities that were under way at once. */
async function mostUnderWay(runId: string): Promise<number> {
  let underWay = 0;
  let most = 0;
  for (const event of (await bench.historiesOf(runId)).flat()) {
    if (event.activityTaskScheduledEventAttributes) underWay += 1;
    if (event.activityTaskCompletedEventAttributes) underWay -= 1;
    most = Math.max(most, underWay);
  }
  return most;
}

describe('a run over very many sources', () => {
  it('ends with a report, with no more under way than it may', async () => {
    // As many as fill more than half of what may be under way.
    const count = 1_500;
    const runId = randomUUID();
    const run = await bench.report(runId, { question: CROWD_QUESTION, sources: crowd(count) });
    const { status, report } = await ended(run);
    const most = await mostUnderWay(runId);
    expect(most).toBeGreaterThan(RUN_SHAPE.atOnce / 2);
    expect(most).toBeLessThanOrEqual(RUN_SHAPE.atOnce);
    expect(status).toBe('completed');
    expect(report.sources.total).toBe(count);
    expect(report.claims.length).toBeGreaterThan(0);
    const catalogue = await run.passResult('gather');
    expect(catalogue?.sources).toHaveLength(count);
  });

  it('tells a thousand rules on quality to the one activity that needs them', async () => {
    const sourceQualityRules = Array.from({ length: 1_000 }, (_, at) => ({
      level: 'general' as const,
      reason: `rule ${at}: ${'words on why it holds '.repeat(8)}`,
      domains: [`host-${at}.example`],
    }));
    const synthesis = { ...bench.config.synthesis, sourceQualityRules };
    expect(40 * JSON.stringify(synthesis).length).toBeGreaterThan(MESSAGE_BYTES);
    const sources = crowd(60);
    const runId = randomUUID();
    const run = await bench.report(runId, { question: CROWD_QUESTION, sources, synthesis });
    await run.waitUntilClosed();
    const { raw } = await bench.client.workflow.getHandle(runId).describe();
    expect(Number(raw.workflowExecutionInfo?.historySizeBytes)).toBeLessThan(MESSAGE_BYTES / 4);
  });
});
