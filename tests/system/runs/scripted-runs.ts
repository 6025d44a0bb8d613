import type { Report } from '../../../src/contracts/report/report';
import type { RunHandle } from '../../../src/client';
import type { ColligateWorker } from '../../../src/worker';
import type { AfterAppend } from '../../support/after-append';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { enginesThatFollow, type ScriptedEngine } from '../../support/scripted-engine';

/** A bench with one worker for all tests of a file. */
export interface ScriptedRuns {
  readonly bench: RunBench;
  /** What the worker does its steps with, set by the test that runs. */
  engine: ScriptedEngine;
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
}

export function useScriptedRuns(look?: AfterAppend): ScriptedRuns {
  let bench: RunBench;
  let worker: ColligateWorker;
  let engine: ScriptedEngine;
  const runs: ScriptedRuns = {
    get bench() {
      return bench;
    },
    get engine() {
      return engine;
    },
    set engine(given) {
      engine = given;
    },
    stopWorker: () => worker.drain(),
    async startWorker() {
      worker = await bench.startWorker(
        enginesThatFollow(() => engine),
        look,
      );
    },
  };
  beforeAll(async () => {
    bench = await openRunBench();
    await runs.startWorker();
  });
  afterAll(async () => {
    await runs.stopWorker();
    await bench.close();
  });
  return runs;
}

export async function reportOf(run: RunHandle): Promise<{ report: Report; markdown: string }> {
  const stored = await run.report();
  if (stored === null) throw new Error(`run ${run.runId} must have stored a report`);
  return stored;
}
