import { ApplicationFailure } from '@temporalio/common';
import type { RunHandle, RunProgress } from '../../../src/client';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import type { ReportRunInput } from '../../../src/contracts/report/report-run';
import { REPORT_SCRIPT } from '../../support/report-script';
import { createScriptedEngine, type ScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { comparable } from '../durability/run-log';
import { reportOf, type ScriptedRuns } from './scripted-runs';

/** The waits are short, and each activity is tried once. */
const SHORT = { firstWaitMs: 50, attempts: 1 } as const;
export const PATIENT: OutageSettings = { ...SHORT, patienceMs: 3_600_000, afterwards: 'park' };
export const PARKS: OutageSettings = { ...SHORT, patienceMs: 0, afterwards: 'park' };
export const FAILS: OutageSettings = { ...SHORT, patienceMs: 0, afterwards: 'fail' };

const MODEL = { name: 'scripted', contextTokens: 16_000, price: null };
export const BY_MODEL = {
  engine: 'openai',
  models: { fast: MODEL, strong: MODEL, critic: MODEL },
} satisfies Partial<ReportRunInput>;
export const USAGE = { calls: 1, cachedCalls: 0, inputTokens: 100, outputTokens: 10, costUsd: 0 };

/** An engine whose steps fail with `failure` while there is one. */
export function scripted(
  failing: { step?: string; failure: Error | null } = { failure: null },
): ScriptedEngine {
  const script = Object.fromEntries(
    Object.entries(REPORT_SCRIPT).map(([step, answer]) => [
      step,
      (...asked: Parameters<typeof answer>) => {
        if (failing.failure !== null && (failing.step ?? step) === step) throw failing.failure;
        return answer(...asked);
      },
    ]),
  );
  return createScriptedEngine(script, { usage: USAGE });
}

export function endpoint(
  kind: string,
  { retryable = true, message = `The endpoint is ${kind}.` } = {},
): Error {
  return ApplicationFailure.create({ message, type: `ModelFailure.${kind}`, nonRetryable: !retryable });
}

export function seen(run: RunHandle, isIt: (progress: RunProgress) => boolean): Promise<RunProgress> {
  return until(() => run.progress(), isIt);
}

/** Starts a run by models against an engine that fails until its `failure` is taken away. */
export async function startFailing(
  runs: ScriptedRuns,
  runId: string,
  failure: Error,
  outages: OutageSettings,
  step?: string,
): Promise<{ run: RunHandle; failing: { failure: Error | null } }> {
  const failing = { failure, ...(step === undefined ? {} : { step }) };
  runs.engine = scripted(failing);
  return { run: await runs.bench.startRun(runId, { ...BY_MODEL, outages }), failing };
}

/** What a run by models leaves where nothing is away. */
export async function undisturbedRun(runs: ScriptedRuns): Promise<unknown> {
  runs.engine = scripted();
  const run = await runs.bench.startRun('undisturbed', { ...BY_MODEL, outages: PATIENT });
  await run.waitUntilClosed();
  return comparable(await reportOf(run));
}
