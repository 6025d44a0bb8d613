import { ApplicationFailure } from '@temporalio/common';
import type { RunEventBody } from '../../../src/contracts/run/event';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import type { RunHandle } from '../../../src/client';
import type { ColligateWorker } from '../../../src/worker';
import { REPORT_SCRIPT } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';

/** What fails besides steps: work that asks no engine, the event log, and the workflow's own code. */

let bench: RunBench;
let worker: ColligateWorker | null = null;
beforeAll(async () => {
  bench = await openRunBench();
});
afterEach(async () => {
  await worker?.drain();
  worker = null;
});
afterAll(() => bench.close());

/** A worker whose stores refuse some texts and events for good. */
async function workWhere(refused: {
  text?: (text: string) => boolean;
  event?: (event: RunEventBody) => boolean;
  script?: Parameters<typeof createScriptedEngine>[0];
}): Promise<void> {
  const { content, events } = bench.stores;
  const refuse = (isRefused: boolean | undefined): void => {
    if (isRefused === true) throw ApplicationFailure.nonRetryable('this is out of order.');
  };
  const extractive = createScriptedEngine(refused.script ?? REPORT_SCRIPT);
  worker = await bench.startWorker({ extractive }, undefined, {
    stores: {
      ...bench.stores,
      content: {
        ...content,
        store: async (runId, text) => (refuse(refused.text?.(text)), content.store(runId, text)),
      },
      events: {
        ...events,
        appendOnce: async (runId, key, event) => (
          refuse(refused.event?.(event)),
          events.appendOnce(runId, key, event)
        ),
      },
    },
  });
}

async function ended(runId: string): Promise<{ status: string; markdown: string; claims: number }> {
  const run = await bench.startRun(runId, {});
  const { status } = await run.waitUntilClosed();
  const stored = await run.report();
  if (stored === null) throw new Error(`run ${runId} must have stored a report`);
  return { status, markdown: stored.markdown, claims: stored.report.claims.length };
}

describe('work that fails for good', () => {
  it('leaves a partial report where the outline cannot be settled', async () => {
    await workWhere({ event: ({ type }) => type === 'outline-generated' });
    const { status, markdown } = await ended('unsettled');
    expect(status).toBe('partial');
    expect(markdown).toContain(
      'Pass 1 could not be finished (this is out of order), so the report has what there was until then.',
    );
  });

  it('goes on without a ranking where the sources cannot be ranked', async () => {
    await workWhere({ text: (text) => /^\{"sections":\[\{"sectionId":"[^"]*","sources":/.test(text) });
    const { status, markdown, claims } = await ended('unranked');
    expect(status).toBe('partial');
    expect(claims).toBe(4);
    expect(markdown).toContain('Pass 2 could not rank the sources by what they gave (this is out of order)');
  });

  it('loses nothing where warnings and starts of passes cannot be told', async () => {
    const failed = new StepFailedError('write-summary', [{ path: '', message: 'no good' }]);
    await workWhere({
      event: ({ type }) => type === 'warning' || type === 'multi-pass-phase',
      script: {
        ...REPORT_SCRIPT,
        'write-summary': () => {
          throw failed;
        },
      },
    });
    const { status, markdown, claims } = await ended('untold');
    expect({ status, claims }).toEqual({ status: 'partial', claims: 4 });
    expect(markdown).toContain('Pass 4 could not write the summary');
  });
});

describe('a mistake in the workflow itself', () => {
  it('fails the workflow task, and a worker without it goes on with the run', async () => {
    const extractive = createScriptedEngine(REPORT_SCRIPT);
    // It comes in one of the sections that are read side by side.
    const code = bench.bundle.code.replace(
      /(run\.ask\()([\w$.]+\.deepDiveSection\b)/,
      '$1(index === 1 ? null.missing : $2)',
    );
    expect(code === bench.bundle.code).toBe(false);
    worker = await bench.startWorker({ extractive }, undefined, { bundle: { code } });
    const run = await bench.startRun('mistaken', {});
    const failures = await until(
      () => taskFailures(run),
      (found) => found.length > 0,
    );
    expect(failures.join()).toContain('missing');
    expect((await bench.client.workflow.getHandle('mistaken').describe()).status.name).toBe('RUNNING');
    await worker.drain();
    worker = await bench.startWorker({ extractive });
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect((await run.report())?.report.claims).toHaveLength(4);
  });
});

describe('a state of another release', () => {
  it('is taken by no worker that does not know it, and the failure says what to do', async () => {
    const extractive = createScriptedEngine(REPORT_SCRIPT);
    const code = bench.bundle.code.replaceAll(/STATE_VERSION = \d+/g, 'STATE_VERSION = 99');
    expect(code).not.toBe(bench.bundle.code);
    worker = await bench.startWorker({ extractive }, undefined, { bundle: { code } });
    const run = await bench.startRun('newer', {
      continueAsNewAfterEvents: 1,
      approval: { timeoutMs: 3_600_000 },
    });
    await until(
      () => run.progress(),
      ({ status }) => status === 'awaiting-approval',
    );
    await worker.drain();
    worker = await bench.startWorker({ extractive });
    await bench.client.workflow.getHandle('newer').signal('pause');
    const [failure] = await until(
      () => taskFailures(bench.colligate.run('newer')),
      (found) => found.length > 0,
    );
    expect(failure).toMatch(/state of this run has version 99.*Start a worker of the release/);
    expect((await bench.client.workflow.getHandle('newer').describe()).status.name).toBe('RUNNING');
    await bench.client.workflow.getHandle('newer').terminate();
  });
});

/** What workflow tasks of the run failed with; the first failure of a row is in the history. */
async function taskFailures({ runId }: RunHandle): Promise<string[]> {
  const { events } = await bench.client.workflow.getHandle(runId).fetchHistory();
  return (events ?? []).flatMap(
    ({ workflowTaskFailedEventAttributes: failed }) => failed?.failure?.message ?? [],
  );
}
