import type { EngineName } from '../../../src/contracts/run/run';
import { openKillBench, type KillBench } from '../../support/kills/kill-bench';
import { NOTES, type Material } from '../../support/kills/material';
import { openAll } from '../../support/kills/open-all';
import { startPart, type Part } from '../../support/kills/part';
import { startWatchedModel, type WatchedModel } from '../../support/kills/watched-model';
import type { RedisServer } from '../../support/services/redis-server';

/** All that runs go over: a server, stores, a model and workers. */
export interface Installation {
  bench: KillBench;
  model: WatchedModel;
  workers: readonly Part[];
  close(): Promise<void>;
}

/** One that is disturbed. */
export interface KillableInstallation extends Installation {
  redis: RedisServer;
  /** How often each part was killed. */
  kills: Map<string, number>;
}

const LATENCY_MS = 60;

/** `stores` are their settings in an environment; without any they are files. A worker has so many calls under way at once. */
export function openInstallation(options: {
  workers: readonly string[];
  stores?: Record<string, string>;
  calls: number;
}): Promise<Installation> {
  return openAll(async (atClose) => {
    const model = await startWatchedModel({ latencyMs: LATENCY_MS, runOf: runOfPrompt });
    atClose(() => model.close());
    const bench = await openKillBench({ env: options.stores, outages: null });
    atClose(() => bench.close());
    await bench.useModels(model, {
      models: { fast: 'good', strong: 'good' },
      maxConcurrentCalls: options.calls,
      // A small window cuts the reading up into several calls.
      contextTokens: { good: 7_000 },
    });
    const workers = await Promise.all(
      options.workers.map((name) => startPart(name, () => bench.startWorker({ OPENAI_API_KEY: name }))),
    );
    return { bench, model, workers };
  });
}

/** With a model the id stands in the question, so that no run has another's answers. By quoting it would be one more thing asked for. */
export function materialOf(runId: string, engine: EngineName): Material {
  return engine === 'openai' ? { ...NOTES, question: `${NOTES.question} (${runId})` } : NOTES;
}

function runOfPrompt(prompt: string): string {
  return /\((chaos-[\d]+-[a-z]+)\)/.exec(prompt)?.[1] ?? '';
}
