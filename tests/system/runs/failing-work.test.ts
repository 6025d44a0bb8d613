import { ApplicationFailure } from '@temporalio/common';
import type { RunHandle } from '../../../src/client';
import type { RunEventBody } from '../../../src/contracts/event';
import { StepFailedError } from '../../../src/engines/engine';
import { ended } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { openRunBench } from '../../support/run-bench';
import type { StepScript } from '../../support/scripted-engine';
import { until } from '../../support/until';

/** What fails besides steps: work that asks no engine, the event log, and the workflow's own code. */

const bench = forAllTests(openRunBench);
afterEach(() => bench.rest());

interface Refused {
  text?: (text: string) => boolean;
  event?: (event: RunEventBody) => boolean;
  script?: Record<string, StepScript>;
}

/** A worker whose stores refuse some texts and events for good. */
async function workWhere({ text, event, script }: Refused): Promise<void> {
  const { content, events } = bench.stores;
  const refuse = (isRefused: boolean | undefined): void => {
    if (isRefused === true) throw ApplicationFailure.nonRetryable('this is out of order.');
  };
  bench.play(script);
  await bench.startWorker(undefined, undefined, {
    stores: {
      ...bench.stores,
      content: { ...content, store: async (...given) => (refuse(text?.(given[1])), content.store(...given)) },
      events: {
        ...events,
        appendOnce: async (...given) => (refuse(event?.(given[2])), events.appendOnce(...given)),
      },
    },
  });
}

it.each<[string, Refused, string, claims: number]>([
  [
    'leaves a partial report where the outline cannot be settled',
    { event: ({ type }) => type === 'outline-generated' },
    'Pass 1 could not be finished (this is out of order), so the report has what there was until then.',
    0,
  ],
  [
    'goes on without a ranking where the sources cannot be ranked',
    { text: (text) => /^\{"sections":\[\{"sectionId":"[^"]*","sources":/.test(text) },
    'Pass 2 could not rank the sources by what they gave (this is out of order)',
    4,
  ],
  [
    'loses nothing where warnings and starts of passes cannot be told',
    {
      event: ({ type }) => type === 'warning' || type === 'multi-pass-phase',
      script: {
        'write-summary': () => {
          throw new StepFailedError('write-summary', [{ path: '', message: 'no good' }]);
        },
      },
    },
    'Pass 4 could not write the summary',
    4,
  ],
])('work that fails for good %s', async (title, refused, told, claims) => {
  await workWhere(refused);
  const { status, markdown, report } = await ended(bench.startRun(title, {}));
  expect(status).toBe('partial');
  expect(markdown).toContain(told);
  expect(report.claims).toHaveLength(claims);
});

/** A worker whose workflows are otherwise than they are. */
async function workWithCode(part: RegExp, other: string): Promise<void> {
  bench.play();
  const code = bench.bundle.code.replaceAll(part, other);
  expect(code === bench.bundle.code).toBe(false);
  await bench.startWorker(undefined, undefined, { bundle: { code } });
}

it('a mistake in the workflow itself fails the workflow task, and a worker without it goes on with the run', async () => {
  // It comes in one of the sections that are read side by side.
  await workWithCode(/(run\.ask\()([\w$.]+\.deepDiveSection\b)/g, '$1(index === 1 ? null.missing : $2)');
  const run = await bench.startRun('mistaken', {});
  expect((await failedTasks(run)).join()).toContain('missing');
  await bench.rest();
  await bench.startWorker();
  const { status, report } = await ended(run);
  expect(status).toBe('completed');
  expect(report.claims).toHaveLength(4);
});

/** What workflow tasks of the run failed with, which goes on; the first failure of a row is in the history. */
async function failedTasks({ runId }: RunHandle): Promise<string[]> {
  const found = await until(
    async () =>
      (await bench.historiesOf(runId))
        .flat()
        .flatMap(({ workflowTaskFailedEventAttributes: failed }) => failed?.failure?.message ?? []),
    (failures) => failures.length > 0,
  );
  expect((await bench.client.workflow.getHandle(runId).describe()).status.name).toBe('RUNNING');
  return found;
}
