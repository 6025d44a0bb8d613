import { ApplicationFailure } from '@temporalio/common';
import type { RunHandle } from '../../../src/client';
import type { OutageSettings } from '../../../src/contracts/run';
import type { ReportRunInput } from '../../../src/contracts/start';
import { BY_MODEL } from '../../support/answer-script';
import { ended } from '../../support/follow-run';
import { comparable } from '../../support/kills/run-record';
import { openScriptedBench, type RunBench } from '../../support/run-bench';

/** The waits are short, and each activity is tried once. */
const SHORT = { firstWaitMs: 50, attempts: 1 } as const;
export const PATIENT: OutageSettings = { ...SHORT, patienceMs: 3_600_000, afterwards: 'park' };
export const PARKS: OutageSettings = { ...SHORT, patienceMs: 0, afterwards: 'park' };
export const FAILS: OutageSettings = { ...SHORT, patienceMs: 0, afterwards: 'fail' };

export const USAGE = { calls: 1, cachedCalls: 0, inputTokens: 100, outputTokens: 10, costUsd: 0 };

/** Runs by models, whose engine fails while `failure` is there: in one step, or in each of them. */
export interface OutageBench extends RunBench {
  failing: { failure: Error | null; step?: string };
  start(runId: string, outages: OutageSettings, given?: Partial<ReportRunInput>): Promise<RunHandle>;
  startFailing(runId: string, outages: OutageSettings, failure: Error, step?: string): Promise<RunHandle>;
  /** It completes, and leaves what a run leaves where nothing is away. */
  expectUndisturbed(run: RunHandle): Promise<void>;
}

export async function openOutageBench(): Promise<OutageBench> {
  const runs = await openScriptedBench();
  const bench: Omit<OutageBench, 'expectUndisturbed'> = Object.assign(runs, {
    failing: { failure: null },
    start(runId: string, outages: OutageSettings, given: Partial<ReportRunInput> = {}) {
      const fails = ({ failure, step }: OutageBench['failing'], asked: string): Error | null =>
        step === undefined || step === asked ? failure : null;
      runs.play({}, { usage: USAGE, failing: (step) => fails(bench.failing, step) });
      return runs.startRun(runId, { ...BY_MODEL, outages, ...given });
    },
    startFailing(runId: string, outages: OutageSettings, failure: Error, step?: string) {
      bench.failing = { failure, ...(step === undefined ? {} : { step }) };
      return bench.start(runId, outages);
    },
  });
  const undisturbed = comparable(await ended(bench.start('undisturbed', PATIENT)));
  return Object.assign(bench, {
    async expectUndisturbed(run: RunHandle) {
      const { status, ...left } = await ended(run);
      expect(status).toBe('completed');
      expect(comparable(left)).toEqual(undisturbed);
    },
  });
}

export function endpoint(kind: string, { retryable = true } = {}): Error {
  const message = `The endpoint is ${kind}.`;
  return ApplicationFailure.create({ message, type: `ModelFailure.${kind}`, nonRetryable: !retryable });
}

/** A model takes no more requests for so long. */
export function limited(forMs: number, askedOf = 'small at models.example'): Error {
  const until = new Date(Date.now() + forMs).toISOString();
  return ApplicationFailure.create({
    message: 'The endpoint limits how often it is asked.',
    type: 'ModelFailure.rate-limited',
    nonRetryable: true,
    details: [{ usage: USAGE, limit: { until, askedOf, says: 'Per day.' } }],
  });
}
