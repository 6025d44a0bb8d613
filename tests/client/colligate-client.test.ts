import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  InvalidRequestError,
  type ReportRequest,
  RunClosedError,
  RunDiffersError,
  type RunHandle,
  RunNotFoundError,
  RunNotRunningError,
  RunStillRunningError,
} from '../../src/client';
import type { RunEvent } from '../../src/contracts/event';
import type { SourceRecord } from '../../src/contracts/source';
import { InvalidSourcesError } from '../../src/sources/source-problems';
import { forAllTests } from '../support/for-all-tests';
import { refusal } from '../support/refusal';
import { REPORT_SCRIPT, SOURCES } from '../support/report-script';
import { openRunBench, openScriptedBench, type RunBench } from '../support/run-bench';
import { createScriptedEngine } from '../support/scripted-engine';
import { until } from '../support/until';

describe('client', () => {
  let bench: RunBench;

  beforeAll(async () => {
    bench = await openRunBench();
  });

  afterAll(async () => bench.close());

  async function completed(runId: string): Promise<RunHandle> {
    const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
    const { run } = await bench.colligate.startReport(bench.request({ runId }));
    await run.waitUntilClosed();
    await worker.drain();
    return run;
  }

  describe('starting', () => {
    it('attaches to a running run, refuses a closed one, and runs it again when asked to', async () => {
      const engine = createScriptedEngine(REPORT_SCRIPT);
      const hold = engine.hold('outline');
      const worker = await bench.startWorker({ extractive: engine });
      try {
        const first = await bench.colligate.startReport(bench.request({ runId: 'twice' }));
        await hold.reached;
        const second = await bench.colligate.startReport(bench.request({ runId: 'twice' }));
        expect(second).toMatchObject({ attached: true, sources: null, warnings: [] });
        hold.release();
        expect(await second.run.waitUntilClosed()).toEqual({ status: 'completed' });

        await expect(bench.colligate.startReport(bench.request({ runId: 'twice' }))).rejects.toThrow(
          RunClosedError,
        );
        const before = await bench.stores.events.read('twice');
        expect(before.at(-1)?.type).toBe('run-completed');

        const again = await bench.colligate.startReport(
          bench.request({ runId: 'twice', again: true, question: 'Which of them helps most?' }),
        );
        expect(again.attached).toBe(false);
        expect(await again.run.waitUntilClosed()).toEqual({ status: 'completed' });
        expect((await first.run.report())?.report.question).toBe('Which of them helps most?');
        const after = await bench.stores.events.read('twice');
        expect(after.map((event) => event.number)).toEqual(after.map((_event, index) => index + 1));
        const listed = await until(
          () => bench.colligate.list(),
          (runs) => runs.some(({ question }) => question === 'Which of them helps most?'),
        );
        expect(listed.filter((run) => run.runId === 'twice')).toHaveLength(1);
      } finally {
        await worker.drain();
      }
    });

    it('joins a running run of the same question, and none of another', async () => {
      const { run } = await bench.colligate.startReport(bench.request({ runId: 'joined' }));
      try {
        const other = bench.request({ runId: 'joined', question: 'Another?' });
        const { differences } = await refusal(bench.colligate.startReport(other), RunDiffersError);
        expect(differences).toEqual(['its question is “Which habits help?”']);
        const joined = await bench.colligate.startReport(
          bench.request({ runId: 'joined', budget: { maxTokens: 7 } }),
        );
        expect(joined).toMatchObject({ attached: true, warnings: [] });
      } finally {
        await bench.client.workflow.getHandle('joined').terminate();
      }
      expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed' });
    });

    it('has a default for what a request leaves out', async () => {
      const { question, sources, asOf = '' } = bench.request({});
      const short = { runId: 'short', question, sources, asOf, synthesis: { targetReportLength: 900 } };
      await bench.colligate.startReport(short);
      try {
        const synthesis = { ...bench.config.synthesis, targetReportLength: 900 };
        const inFull = bench.request({ runId: 'short', synthesis });
        expect(await bench.colligate.startReport(inFull)).toMatchObject({ attached: true, warnings: [] });
        expect(await bench.colligate.startReport(short)).toMatchObject({ attached: true, warnings: [] });
      } finally {
        await bench.client.workflow.getHandle('short').terminate();
      }
    });

    it('keeps the report of an ended run where the new one cannot be started', async () => {
      const run = await completed('kept');
      const events = await bench.stores.events.read('kept');
      // More than the server takes as an input, and less than it takes as a request, which is tried again for long.
      const model = { name: 'x'.repeat(800_000), contextTokens: 16_000, price: null };
      const models = { fast: model, strong: model, critic: model };
      await expect(
        bench.colligate.startReport(bench.request({ runId: 'kept', again: true, engine: 'openai', models })),
      ).rejects.toThrow();
      expect(await bench.stores.events.read('kept')).toEqual(events);
      expect((await run.report())?.report.id).toBe('kept');
    });

    it('reports all that is wrong with a request at once, and starts nothing', async () => {
      const request = bench.request({ runId: 'a\nb', question: '  ', asOf: 'soon', sources: { paths: [] } });
      const { problems } = await refusal(bench.colligate.startReport(request), InvalidRequestError);
      expect(problems).toEqual([
        'question is empty: it must ask something',
        'asOf is "soon"; an ISO 8601 time is allowed',
        'runId is "a\\nb": an id has 1–255 characters, none of them a control or invisible one, and no white space at its ends',
        'sources has no path; at least one is needed',
      ]);
    });

    it('starts nothing where a source is bad', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'colligate-bad-'));
      try {
        const file = join(folder, 'bad.jsonl');
        await writeFile(file, '{"content": ""}\n');
        const request = bench.request({ runId: 'bad-source', sources: { paths: [file] } });
        await expect(bench.colligate.startReport(request)).rejects.toThrow(InvalidSourcesError);
        await expect(bench.colligate.run('bad-source').progress()).rejects.toThrow(RunNotFoundError);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('takes records from a program as they come, as it takes them from a file', async () => {
      async function* asTheyCome(records: readonly object[]): AsyncGenerator<SourceRecord> {
        for (const record of records) {
          await Promise.resolve();
          // A program without types gives anything.
          yield record as SourceRecord;
        }
      }
      const given = (records: readonly object[]): ReportRequest =>
        bench.request({ runId: 'records', sources: { records: asTheyCome(records) } });
      const bad = [SOURCES[0] ?? {}, { title: 'no text' }];
      await expect(bench.colligate.startReport(given(bad))).rejects.toThrow(
        /1 problem with the sources; nothing was started\.\n {2}records:2: content is missing/,
      );
      await expect(bench.colligate.run('records').progress()).rejects.toThrow(RunNotFoundError);

      const { run, sources } = await bench.colligate.startReport(given(SOURCES));
      try {
        expect(sources).toBe(SOURCES.length);
        const attached = { attached: true, warnings: [] };
        expect(await bench.colligate.startReport(given(SOURCES))).toMatchObject(attached);
        const fromFile = bench.request({ runId: 'records' });
        expect(await bench.colligate.startReport(fromFile)).toMatchObject(attached);
      } finally {
        await bench.client.workflow.getHandle('records').terminate();
      }
      expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed' });
    });

    it('names a run that was given no id', async () => {
      const { run } = await bench.colligate.startReport(bench.request({}));
      expect(run.runId).toMatch(/^report-\d{8}-\d{6}-[0-9a-f]{16}$/);
      await bench.client.workflow.getHandle(run.runId).terminate();
      expect(await run.waitUntilClosed()).toMatchObject({ status: 'failed' });
    });
  });

  describe('a run that no worker works on', () => {
    it('is reported from its records, with a note', async () => {
      const { run } = await bench.colligate.startReport(bench.request({ runId: 'orphan' }));
      expect(await run.progress()).toMatchObject({
        status: 'queued',
        toldBy: 'records',
        note: expect.stringContaining('No worker answers') as string,
        pass: { number: 0, message: 'Gathering 4 sources…' },
        percent: 0,
      });
      expect(await run.outline()).toBeNull();
      expect(await run.report()).toBeNull();

      const engine = createScriptedEngine(REPORT_SCRIPT);
      const hold = engine.hold('extract-findings', '"Tea"');
      const worker = await bench.startWorker({ extractive: engine });
      await hold.reached;
      await until(async () => (await run.progress()).section?.index === 1);
      await run.pause();
      await until(async () => (await run.progress()).status === 'pausing');
      hold.release();
      await until(async () => (await run.progress()).status === 'paused');
      await worker.drain();

      expect(await run.progress()).toMatchObject({
        status: 'paused',
        toldBy: 'records',
        pass: { number: 2, name: 'deep-dive' },
        section: { index: 2, of: 2 },
        percent: 60,
      });
      expect((await run.outline())?.sections).toHaveLength(2);
      expect(await run.passResult('gather')).toMatchObject({
        counts: { sentences: 7, holders: {} },
        merged: [],
      });
      expect((await run.usage()).total.calls).toBe(0);

      const other = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
      await run.resume();
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
      await other.drain();
    });

    it('ends the stream of its events when it is terminated', async () => {
      const { run } = await bench.colligate.startReport(bench.request({ runId: 'terminated' }));
      const key = '0/run/-/0/run-started/0';
      const payload = { kind: 'report', question: 'q', engine: 'extractive', sources: 4 } as const;
      await bench.stores.events.appendOnce('terminated', key, { type: 'run-started', payload });
      const events: RunEvent[] = [];
      for await (const event of run.events()) {
        events.push(event);
        await bench.client.workflow.getHandle('terminated').terminate();
      }
      expect(events.map((event) => event.type)).toEqual(['run-started']);
    });
  });

  describe('closed and unknown runs', () => {
    it('rejects what needs a running one', async () => {
      const run = await completed('over');
      const sources = { records: [{ title: 'Late', content: 'Too late to be read.' }] };
      const outline = { sections: [{ title: 'Late' }] };
      for (const [steer, told] of [
        [() => run.pause(), 'can be paused.'],
        [() => run.resume(), 'can be resumed.'],
        [() => run.cancel(), 'can be cancelled.'],
        [() => run.setOutline(outline), 'can be given another outline.'],
        [() => run.approveOutline(), 'can be told that its outline is approved.'],
        [() => run.addSources(sources), 'can be given more sources.'],
      ] as const) {
        const { message } = await refusal(steer(), RunNotRunningError);
        expect(message).toBe(`Run "over" has ended; only a running one ${told}`);
      }
      expect(await run.progress()).toMatchObject({ status: 'completed', percent: 100, toldBy: 'records' });

      const unknown = bench.colligate.run('nobody');
      for (const ask of [
        () => unknown.progress(),
        () => unknown.pause(),
        () => unknown.cancel(),
        () => unknown.report(),
        () => unknown.waitUntilClosed(),
      ]) {
        await expect(ask()).rejects.toThrow(RunNotFoundError);
      }
    });

    it('deletes a closed run with all it stored, and refuses a running one', async () => {
      const { run } = await bench.colligate.startReport(bench.request({ runId: 'deleted' }));
      await expect(bench.colligate.delete('deleted')).rejects.toThrow(RunStillRunningError);
      const worker = await bench.startWorker({ extractive: createScriptedEngine(REPORT_SCRIPT) });
      await run.waitUntilClosed();
      await worker.drain();
      const [closing] = (await bench.stores.events.read('deleted')).slice(-1);
      if (closing?.type !== 'run-completed') throw new Error('the run must have completed');
      await until(
        () => bench.colligate.list(),
        (runs) => runs.some(({ runId, status }) => runId === 'deleted' && status === 'completed'),
      );
      await bench.stores.responses.put('deleted', 'answer', 'kept for the run', { ttlMs: 60_000 });
      await bench.stores.derived.put('deleted', new Map([['index', Uint8Array.of(1)]]));
      await bench.colligate.delete('deleted');
      expect(await bench.stores.content.has(closing.payload.reportRef)).toBe(false);
      expect(await bench.stores.events.read('deleted')).toEqual([]);
      expect(await bench.stores.responses.get('another', 'answer')).toBeNull();
      expect((await bench.stores.derived.get('another', ['index'])).size).toBe(0);
      await expect(run.progress()).rejects.toThrow(RunNotFoundError);
      expect((await bench.colligate.list()).map(({ runId }) => runId)).not.toContain('deleted');
      await expect(bench.colligate.delete('deleted')).rejects.toThrow(RunNotFoundError);
    });
  });
});

describe('unfinished run', () => {
  const opened = forAllTests(openScriptedBench);

  test('a run that goes on has the sections that are written, with the sources that they cite', async () => {
    const hold = opened.play().hold('write-section', '"Tea"');
    const run = await opened.report('half-written');
    await hold.reached;
    const { sections, sources } = await until(
      () => opened.colligate.soFar('half-written'),
      (soFar) => soFar.sections.some(({ state }) => state === 'written'),
    );
    const texts = sections.flatMap(({ markdown }) => markdown ?? []);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('[1]');
    expect(texts[0]).not.toContain('[@');
    expect(sources[0]).toMatchObject({ n: 1, timesCited: 1 });
    for (const format of ['html', 'csv'] as const)
      await expect(opened.colligate.export('half-written', format)).rejects.toThrow(/has no report yet/);
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });
});
