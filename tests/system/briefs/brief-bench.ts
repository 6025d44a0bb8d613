import type { z } from 'zod';
import type { RunHandle } from '../../../src/client';
import { Brief } from '../../../src/contracts/brief';
import type { BriefStart } from '../../../src/contracts/start';
import { createExtractiveEngine } from '../../../src/engines/extractive/module';
import type { brief } from '../../../src/workflows';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { enginesThatFollow } from '../../support/scripted-engine';

export type BriefGiven = Partial<z.input<typeof BriefStart>>;

/** Briefs on a real server, by the extractive engine, and by a model whose part the bench's engine plays. */
export interface BriefBench extends RunBench {
  /** A worker that plays the models. */
  work(): Promise<void>;
  /** Starts a brief of SUBTOPICS. */
  start(runId: string, given?: BriefGiven): Promise<RunHandle>;
  /** The brief of a run that has ended well. */
  briefOf(runId: string): Promise<Brief>;
  /** The brief that a run comes to. */
  written(runId: string, given?: BriefGiven): Promise<Brief>;
}

export async function openBriefBench(): Promise<BriefBench> {
  const runs = await openRunBench();
  const { config, stores } = runs;
  const bench: BriefBench = Object.assign(runs, {
    async work() {
      const extractive = createExtractiveEngine(runs);
      await runs.startWorker({ ...enginesThatFollow(() => runs.engine), extractive });
    },
    async start(runId: string, given: BriefGiven = {}) {
      await runs.client.workflow.start<typeof brief>('brief', {
        workflowId: runId,
        taskQueue: config.temporal.taskQueue,
        args: [{ question: QUESTION, subtopics: SUBTOPICS, asOf: '2026-01-01T00:00:00.000Z', ...given }],
      });
      return runs.colligate.run(runId);
    },
    async briefOf(runId: string) {
      const { reportRef } = (await runs.client.workflow.getHandle(runId).result()) as { reportRef: string };
      return Brief.parse(JSON.parse((await stores.content.retrieve(reportRef)) ?? 'null'));
    },
    async written(runId: string, given?: BriefGiven) {
      await bench.start(runId, given);
      return bench.briefOf(runId);
    },
  });
  return bench;
}

/** Such a bench with its worker. */
export async function openScriptedBriefs(): Promise<BriefBench> {
  const bench = await openBriefBench();
  await bench.work();
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
