import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import type { ColligateWorker } from '../../../src/worker';
import { BY_SCRIPTED_MODEL, briefScript } from '../../support/brief-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { openBriefBench, SUBTOPICS, type BriefBench } from './brief-bench';

let bench: BriefBench;
let worker: ColligateWorker;

beforeAll(async () => {
  bench = await openBriefBench();
  worker = await bench.work();
});
afterAll(async () => {
  await worker.drain();
  await bench.close();
});

/** In more words than one call may write. */
const BY_PART = { ...BY_SCRIPTED_MODEL, brief: { oneCallWords: 0 } };

describe('a brief that is written part by part', () => {
  it('is written in series: subtopics, what follows from them, the summary at last', async () => {
    const model = createScriptedEngine(briefScript());
    bench.model = model;
    const run = await bench.start('by-part', BY_PART);
    await run.waitUntilClosed();
    const written = model.calls
      .filter(({ step }) => step === 'write-brief-part')
      .map(({ input }) => input as { part: { id: string }; told: unknown[]; before: string | null });
    expect(written.map(({ part }) => part.id)).toEqual([
      'subtopic-1',
      'subtopic-2',
      'subtopic-3',
      'conclusions',
      'summary',
    ]);
    expect(written.map(({ told }) => told.length)).toEqual([0, 3, 5, 7, 9]);
    expect(written[1]?.before).toContain('Dim rooms help older adults most');
    const brief = await bench.briefOf('by-part');
    expect(brief.parts.map(({ id }) => id)).toEqual([
      'summary',
      'subtopic-1',
      'subtopic-2',
      'subtopic-3',
      'conclusions',
    ]);
  });

  it('goes on in new histories without writing or judging anything twice', async () => {
    const model = createScriptedEngine(
      briefScript({
        says: ({ claim, id }, { part, revision }) =>
          revision !== null && id === part.findingIds.at(-1) ? null : claim,
        judge: ({ document }) => ({
          score: document.parts.length < 5 ? 1 : 3,
          parts: ['conclusions'],
        }),
      }),
    );
    bench.model = model;
    const run = await bench.start('continued', { ...BY_PART, continueAsNewAfterEvents: 1 });
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    const asked = (step: string): number => model.calls.filter((call) => call.step === step).length;
    expect({ plan: asked('plan-brief'), parts: asked('write-brief-part'), judge: asked('judge') }).toEqual({
      plan: 1,
      parts: 5 + 2,
      judge: 3,
    });
    const brief = await bench.briefOf('continued');
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.judge?.versions.map(({ n }) => n)).toEqual([1, 2, 3]);
    // Each of them can be read.
    for (const { markdownRef } of brief.judge?.versions ?? [])
      expect(await bench.runs.stores.content.retrieve(markdownRef)).toContain('22 minutes');
  });

  it('quotes what a model cannot write, and says so', async () => {
    bench.model = createScriptedEngine(
      briefScript({
        says: ({ claim }, { part }) => {
          if (part.id === 'subtopic-2')
            throw ApplicationFailure.nonRetryable('It gave nothing usable.', 'StepFailedError');
          return claim;
        },
      }),
    );
    const run = await bench.start('quoted', BY_PART);
    await run.waitUntilClosed();
    const brief = await bench.briefOf('quoted');
    expect(brief.status).toBe('partial');
    expect(brief.markdown).toContain('Coffee six hours before bed shortens sleep by 41 minutes');
    expect(brief.markdown).toContain('could not be left to the model');
  });

  it('is quoted where the budget has no room to ask a model', async () => {
    const model = createScriptedEngine(briefScript());
    bench.model = model;
    const run = await bench.start('poor', { ...BY_PART, budget: { maxTokens: 1_000 } });
    await run.waitUntilClosed();
    const brief = await bench.briefOf('poor');
    expect(model.calls).toEqual([]);
    expect(brief.status).toBe('partial');
    expect(brief.judge?.by).toBe('measures');
    expect(brief.markdown).toContain('41 minutes');
    expect(brief.warnings.map(({ code }) => code)).toContain('budget');
  });
});

describe('a brief that is steered', () => {
  it('pauses between two parts, says which is next, and goes on', async () => {
    const model = createScriptedEngine(briefScript());
    const hold = model.hold('write-brief-part');
    bench.model = model;
    const run = await bench.start('paused', BY_PART);
    await hold.reached;
    expect(await run.progress()).toMatchObject({
      kind: 'brief',
      status: 'running',
      pass: { number: 2, of: 3, name: 'write', message: 'Writing part 1 of 5…' },
      section: { index: 0, of: 5, id: 'subtopic-1' },
    });
    await run.pause();
    hold.release();
    await until(
      () => run.progress(),
      ({ status }) => status === 'paused',
    );
    const before = model.calls.length;
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(model.calls.length).toBeGreaterThan(before);
  });

  it('leaves what it has where it is cancelled', async () => {
    const model = createScriptedEngine(briefScript());
    const hold = model.hold('write-brief-part', '"part":{"id":"subtopic-2"');
    bench.model = model;
    const run = await bench.start('cancelled', BY_PART);
    await until(
      async () => (await run.progress()).section?.index,
      (index) => index === 1,
    );
    await hold.reached;
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
    const last = (await bench.eventsOf('cancelled')).at(-1);
    if (last?.type !== 'run-completed') throw new Error('its log is not closed');
    const markdown = await bench.runs.stores.content.retrieve(last.payload.markdownRef);
    expect(markdown).toContain('22 minutes');
    expect(markdown).not.toContain('41 minutes');
    expect(markdown).toContain('cancelled');
  });

  it('ends with what it has when its time is up', async () => {
    const model = createScriptedEngine(briefScript());
    const hold = model.hold('judge');
    bench.model = model;
    const run = await bench.start('timed', { ...BY_PART, budget: { maxTimeMs: 3_600_000 } });
    await hold.reached;
    await run.setBudget({ maxTimeMs: 1 });
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect((await bench.briefOf('timed')).markdown).toContain('41 minutes');
  });
});

describe('what cannot become a brief', () => {
  const refused = async (runId: string, given: object): Promise<string> => {
    const { taskQueue } = bench.runs.config.temporal;
    const error: unknown = await bench.runs.client.workflow
      .execute('brief', { workflowId: runId, taskQueue, args: [given] })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
    expect(error.cause).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    return error.cause.message;
  };

  it('fails at once, with every problem named', async () => {
    const message = await refused('wrong', {
      question: ' ',
      subtopic: [],
      brief: { words: 10 },
      judge: { maxRevisions: 5 },
      engine: 'clay',
    });
    for (const named of ['question', 'subtopic', 'brief.words', 'judge.maxRevisions', 'engine'])
      expect(message).toContain(named);
  });

  it('names what only its subtopics and its template show', async () => {
    const subtopics = [{ title: 'Light', summary: '  ' }];
    expect(await refused('nothing', { question: 'What helps?' })).toContain('subtopics is missing');
    expect(await refused('empty', { question: 'What helps?', subtopics })).toContain('summary is empty');
    expect(
      await refused('formless', {
        question: 'What helps?',
        subtopics: SUBTOPICS,
        brief: { template: 'memmo' },
      }),
    ).toContain('memmo');
  });
});
