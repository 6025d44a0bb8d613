import { dirname, join } from 'node:path';
import type { BriefRequest, ColligateClient, ReportRequest } from '../../../src/client';
import { modelChoices } from '../../../src/config/model-choices';
import type { RunEventType } from '../../../src/contracts/run/event';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import type { ArtifactRef } from '../../../src/contracts/run/artifact';
import type { Stores } from '../../../src/stores/stores';
import { startWorker } from '../../../src/worker';
import { briefModel } from '../../model-server/brief-model';
import { messagesOf } from '../../model-server/good-model';
import { startModelServer, type RecordedRequest } from '../../model-server/model-server';
import { afterAppend, type AfterAppend } from '../../support/after-append';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { until } from '../../support/until';
import { QUESTION as OF_BRIEF, SUBTOPICS } from '../briefs/brief-bench';
import { NOTES } from '../../support/kills/material';
import type { StoreServer } from './store-servers';

/** The waits are short, and each activity is tried once. */
const PATIENT: OutageSettings = { firstWaitMs: 50, attempts: 1, patienceMs: 3_600_000, afterwards: 'park' };

/** What is awaited while work goes on: a test has something happen there. */
export interface Moments {
  beforeAnswer(request: RecordedRequest): Promise<void>;
  afterAppend: AfterAppend;
  /** A run has been given texts that were stored before. */
  afterHold(runId: string, refs: readonly ArtifactRef[]): Promise<void>;
}

/** Stores of its own with a worker, whose models answer well. */
export interface Installation {
  stores: Stores;
  colligate: ColligateClient;
  report: ReportRequest;
  brief: BriefRequest;
  /** What its models have been asked, each with its repetitions. */
  prompts: string[];
  close(): Promise<void>;
}

export interface StoreBench {
  runs: RunBench;
  store: StoreServer;
  /** For folders of a test. */
  folder: string;
  /** On lmdb alone where it is not on the server. */
  install(name: string, onServer: boolean, moments?: Partial<Moments>): Promise<Installation>;
  /** Kills the store, once; it comes back when `isNoticed`. Resolves when it is gone. */
  killOnce(isNoticed: () => Promise<boolean>): { here(): Promise<void>; isBack: Promise<void> };
  close(): Promise<void>;
}

export async function openStoreBench(startStore: () => Promise<StoreServer>): Promise<StoreBench> {
  const runs = await openRunBench();
  const store = await startStore();
  const folder = dirname(runs.config.dataDir);
  return {
    runs,
    store,
    folder,
    async install(name, onServer, moments = {}) {
      const stores = onServer ? await store.open(name, join(folder, name)) : runs.stores;
      const prompts: string[] = [];
      const good = briefModel();
      const server = await startModelServer((request, index) => {
        if (typeof good !== 'function') throw new Error('the model answers whatever it is asked');
        prompts.push(messagesOf(request).join('\n'));
        return async (...given) => {
          await moments.beforeAnswer?.(request);
          await good(request, index)(...given);
        };
      });
      const openai = {
        ...runs.config.openai,
        baseUrl: server.baseUrl,
        models: { fast: 'small', strong: 'large', critic: null, embedding: null },
      };
      const worker = await startWorker({
        config: { ...runs.config, openai },
        target: runs.target,
        stores: {
          ...stores,
          events: afterAppend(stores.events, async (...given) => moments.afterAppend?.(...given)),
          content: {
            ...stores.content,
            async hold(...given) {
              const missing = await stores.content.hold(...given);
              await moments.afterHold?.(...given);
              return missing;
            },
          },
        },
        threads: runs.threads,
        workflowBundle: runs.bundle,
      });
      const byModel = { engine: 'openai', models: modelChoices(openai), outages: PATIENT } as const;
      const asked = { asOf: '2026-01-01T00:00:00.000Z', searchAttributes: true };
      return {
        stores,
        prompts,
        colligate: runs.colligateOn(stores),
        report: runs.request({
          question: NOTES.question,
          sources: { paths: NOTES.paths },
          ...byModel,
        }),
        brief: { question: OF_BRIEF, subtopics: SUBTOPICS, ...byModel, ...asked },
        async close() {
          await worker.drain();
          await server.close();
          if (onServer) await stores.close();
        },
      };
    },
    killOnce(isNoticed) {
      let killed = false;
      let settle = { resolve: (): void => undefined, reject: (_error: unknown): void => undefined };
      const isBack = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
      return {
        isBack,
        async here() {
          if (killed) return;
          killed = true;
          await store.kill();
          // What waits here goes on while the store is away.
          void until(isNoticed, (noticed) => noticed)
            .then(() => store.start())
            .then(settle.resolve, settle.reject);
        },
      };
    },
    async close() {
      await runs.close();
      await store.remove();
    },
  };
}

const OF_WAITING: ReadonlySet<RunEventType> = new Set(['run-waiting', 'run-goes-on']);

/** The keys of what a run has told but for its waiting. Throws where an event is missing or there twice. */
export async function toldBy({ stores }: Pick<Installation, 'stores'>, runId: string): Promise<string[]> {
  const events = await stores.events.read(runId);
  if (events.some(({ number }, at) => number !== at + 1)) throw new Error(`the log of ${runId} has a hole`);
  const keys = events.flatMap(({ type, key }) => (OF_WAITING.has(type) ? [] : [key]));
  if (new Set(keys).size < keys.length) throw new Error(`the log of ${runId} has an event twice`);
  return keys.sort();
}
