import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import type { RunHandle } from '../../../src/client';
import { Brief } from '../../../src/contracts/brief/brief';
import type { BriefStart } from '../../../src/contracts/brief/brief-start';
import type { RunEvent } from '../../../src/contracts/run/event';
import { startWorker, type ColligateWorker } from '../../../src/worker';
import { modelChoices } from '../../../src/config/model-choices';
import type { brief } from '../../../src/workflows/brief/brief';
import type { z } from 'zod';
import { startModelServer, type ModelServer, type Script } from '../../model-server/model-server';
import type { AfterAppend } from '../../support/after-append';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { createScriptedEngine, enginesThatFollow, type ScriptedEngine } from '../../support/scripted-engine';

/** A worker with the models that it asks. */
export interface ServedBriefs {
  server: ModelServer;
  given: Pick<BriefGiven, 'engine' | 'models'>;
  close(): Promise<void>;
}

export type BriefGiven = Partial<z.input<typeof BriefStart>>;

/** Briefs on a real server, by the extractive engine, and by a model whose part a script plays. */
export interface BriefBench {
  runs: RunBench;
  /** Plays the models; a test puts its own here. */
  model: ScriptedEngine;
  /** A worker whose models are behind a server of this script, and what briefs by them are started with. */
  serve(script: Script): Promise<ServedBriefs>;
  /** A worker that waits for `look` as soon as one of its events is on disk. */
  work(look?: AfterAppend): Promise<ColligateWorker>;
  start(runId: string, given: BriefGiven): Promise<RunHandle>;
  /** The brief of a run that has ended well. */
  briefOf(runId: string): Promise<Brief>;
  eventsOf(runId: string): Promise<RunEvent[]>;
  /** How often each activity was begun, in all histories of the run. */
  activitiesOf(runId: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export async function openBriefBench(): Promise<BriefBench> {
  const runs = await openRunBench();
  const extractive = createExtractiveEngine(runs);
  const { taskQueue } = runs.config.temporal;
  const bench: BriefBench = {
    runs,
    model: createScriptedEngine({}),
    work: (look) => runs.startWorker({ ...enginesThatFollow(() => bench.model), extractive }, look),
    async serve(script) {
      const server = await startModelServer(script);
      const { config, stores, threads, target, bundle: workflowBundle } = runs;
      const openai = {
        ...config.openai,
        baseUrl: server.baseUrl,
        models: { fast: 'small', strong: 'large', critic: null, embedding: null },
      };
      const worker = await startWorker({
        config: { ...config, openai },
        target,
        stores,
        threads,
        workflowBundle,
      });
      return {
        server,
        given: { engine: 'openai', models: modelChoices(openai) },
        async close() {
          await worker.drain();
          await server.close();
        },
      };
    },
    async start(runId, given) {
      await runs.client.workflow.start<typeof brief>('brief', {
        workflowId: runId,
        taskQueue,
        args: [{ question: QUESTION, subtopics: SUBTOPICS, asOf: '2026-01-01T00:00:00.000Z', ...given }],
      });
      return runs.colligate.run(runId);
    },
    async briefOf(runId) {
      const { reportRef } = (await runs.client.workflow.getHandle(runId).result()) as { reportRef: string };
      return Brief.parse(JSON.parse((await runs.stores.content.retrieve(reportRef)) ?? 'null'));
    },
    eventsOf: (runId) => runs.stores.events.read(runId),
    async activitiesOf(runId) {
      const counts: Record<string, number> = {};
      const { workflow } = runs.client;
      for await (const { runId: historyId } of workflow.list({ query: `WorkflowId = "${runId}"` })) {
        const { events } = await workflow.getHandle(runId, historyId).fetchHistory();
        for (const { activityTaskScheduledEventAttributes: scheduled } of events ?? []) {
          const name = scheduled?.activityType?.name;
          if (name !== undefined && name !== null) counts[name] = (counts[name] ?? 0) + 1;
        }
      }
      return counts;
    },
    async close() {
      await runs.close();
    },
  };
  return bench;
}

export const QUESTION = 'Which habits help people who sleep badly?';

const url = (name: string): string => `https://example.org/${name}`;

export const SUBTOPICS = [
  {
    title: 'Light and screens',
    summary:
      'Evening light delays sleep onset by 22 minutes in adults [1]. Blue light filters change sleep onset by less than 3 minutes [2]. Dim rooms help older adults most [1].',
    citations: [url('light'), url('filters')],
  },
  {
    title: 'Caffeine',
    summary:
      'Coffee six hours before bed shortens sleep by 41 minutes [1]. Decaffeinated coffee has no such effect [2].',
    citations: [url('coffee'), url('decaf')],
  },
  {
    title: 'Exercise',
    summary:
      'Regular exercise lengthens sleep by 18 minutes a night [1]. Exercise late in the evening does not harm sleep in most adults [2].',
    citations: [url('exercise'), url('light')],
  },
];
