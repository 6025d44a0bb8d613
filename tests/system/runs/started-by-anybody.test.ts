import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { RunNotRunningError } from '../../../src/client';
import { stepVersions } from '../../../src/steps/registry';
import { forAllTests } from '../../support/for-all-tests';
import { openScriptedBench } from '../../support/run-bench';
import { until } from '../../support/until';

/** Runs that are started with nothing but Temporal's own client, under ids that it lets pass. */
const bench = forAllTests(openScriptedBench);
/** Sources that no run has stored. */
let sources: { manifestRef: string; sourceCount: number };
beforeAll(async () => {
  sources = await bench.stored('import');
});

const QUESTION = 'Which habits help?';

async function start(workflowId: string, ...args: unknown[]): Promise<unknown> {
  const { taskQueue } = bench.config.temporal;
  const handle = await bench.client.workflow.start('report', { workflowId, taskQueue, args });
  return handle.result();
}

/** What a run failed with. */
async function failureOf(workflowId: string, ...args: unknown[]): Promise<ApplicationFailure> {
  const error = await start(workflowId, ...args).catch((thrown: unknown) => thrown);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return error.cause;
}

describe('what cannot become a run', () => {
  it('fails at once and for good, with every problem named', async () => {
    const failure = await failureOf('only-a-question', { question: 'x', budgets: {} });
    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toMatch(
      /manifestRef is missing; allowed: .*sourceCount is missing; allowed: .*budgets is no field/,
    );
    expect(failure.details).toEqual([{ problems: expect.any(Array) as unknown }]);
    // Started, and one workflow task that fails it: nothing is tried again.
    const { events } = await bench.client.workflow.getHandle('only-a-question').fetchHistory();
    expect(events).toHaveLength(5);
    const run = bench.colligate.run('only-a-question');
    expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed', message: failure.message });
    expect(await run.progress()).toMatchObject({ status: 'failed' });
    expect(await run.report()).toBeNull();
    await expect(run.cancel()).rejects.toThrow(RunNotRunningError);
    expect((await failureOf('no-input')).message).toMatch(/the input is missing/);
  });

  it.each<[string, object, RegExp]>([
    [
      'a manifest that is not there',
      { manifestRef: 'f'.repeat(64) },
      /manifestRef is f{64}, which is not in this worker's content store/,
    ],
    [
      'another number of sources',
      { sourceCount: 3 },
      /sourceCount is 3; allowed: 4, which the manifest lists/,
    ],
  ])('fails where the input speaks of %s', async (what, given, message) => {
    const failure = await failureOf(`speaks of ${what}`, { question: QUESTION, ...sources, ...given });
    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toMatch(message);
  });

  it('fails under an id that schedules keep their results by', async () => {
    const id = 'schedule:nightly:0123abcd';
    const { message } = await failureOf(id, { question: QUESTION, ...sources });
    expect(message).toContain(`its workflow id is "${id}"`);
    expect(await bench.stores.events.read(id)).toEqual([]);
  });

  const lost = { id: 'a', url: null, title: 'A', contentRef: 'e'.repeat(64), contentChars: 1 };
  it.each([
    ['is no list of sources', '{"sources": 1}', /is no list of sources/],
    ['is no JSON', 'text', /is no list of sources/],
    [
      'lists texts that are not there',
      JSON.stringify({ sources: [{ ...lost, summaryRef: null }], warnings: [] }),
      /1 of the texts that it lists are not in the content store/,
    ],
  ])('fails where the manifest %s', async (what, text, message) => {
    const manifestRef = await bench.stores.content.store('import', text);
    const given = { question: QUESTION, manifestRef, sourceCount: 1 };
    expect((await failureOf(`the manifest ${what}`, given)).message).toMatch(message);
  });
});

describe('a run under an id that somebody else chose', () => {
  const IDS = [`@it's "odd": \\ / %`, 'é'.repeat(127)];

  it.each(IDS)('is a run like any other: %s', async (id) => {
    await start(id, { question: QUESTION, ...sources, runId: 'another' });
    const run = bench.colligate.run(id);
    expect(await run.progress()).toMatchObject({ runId: id, status: 'completed' });
    const stored = await run.report();
    expect(stored?.report).toMatchObject({ id, question: QUESTION, status: 'completed' });
    expect(stored?.report.provenance.steps).toEqual(stepVersions);
    const events: string[] = [];
    for await (const { runId, type } of run.events()) events.push(`${runId} ${type}`);
    expect(events[0]).toBe(`${id} run-started`);
    expect(events.at(-1)).toBe(`${id} run-completed`);
    const listed = await until(
      () => bench.colligate.list(),
      (runs) => runs.some(({ runId, status }) => runId === id && status === 'completed'),
    );
    expect(listed.find(({ runId }) => runId === id)).toMatchObject({ question: QUESTION });
  });

  it('starts anew where an ended run had the id, and its events are its own', async () => {
    await start('twice', { question: QUESTION, ...sources });
    const first = await bench.eventsOf('twice');
    await start('twice', { question: 'And which of them least?', ...sources });
    const second = await bench.eventsOf('twice');
    // Sections are written at the same time.
    const typesOf = (events: typeof first): string[] => events.map(({ type }) => type).sort();
    expect(typesOf(second)).toEqual(typesOf(first));
    expect(second[0]).toMatchObject({ number: 1, payload: { question: 'And which of them least?' } });
    expect((await bench.colligate.run('twice').report())?.report.question).toBe('And which of them least?');
  });

  it('has its sources until it is deleted, whoever stored them', async () => {
    const { content } = bench.stores;
    await content.clearRun('import');
    expect(await content.has(sources.manifestRef)).toBe(true);
    // The second history of the id is deleted with the first.
    await start(IDS[0] ?? '', { question: QUESTION, ...sources });
    for (const id of [...IDS, 'twice']) await bench.colligate.delete(id);
    expect(await content.has(sources.manifestRef)).toBe(false);
    expect((await bench.colligate.list()).filter(({ runId }) => IDS.includes(runId))).toEqual([]);
    await until(
      async () => {
        const left: string[] = [];
        for await (const { workflowId } of bench.client.workflow.list()) left.push(workflowId);
        return left.filter((workflowId) => IDS.includes(workflowId));
      },
      (left) => left.length === 0,
    );
  });
});
