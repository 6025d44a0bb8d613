import { problemsOfFollower } from '../../support/kills/follower';
import type { KillBench } from '../../support/kills/kill-bench';
import {
  comparable,
  keysOf,
  problemsOfLog,
  recordOf,
  withoutOutages,
  type RunRecord,
} from '../../support/kills/run-record';
import type { WatchedRun } from './watched-run';

/** Which promises a disturbed run has broken, in sentences; `model` is what the undisturbed run left. */
export async function brokenPromises(
  bench: KillBench,
  watched: WatchedRun,
  status: string,
  model: RunRecord,
): Promise<string[]> {
  if (status !== 'completed') return [`it is ${status}`];
  const record = await recordOf(bench, watched.runId);
  if (record === null) return ['it left no report'];
  const pending = await bench.pending(watched.runId);
  const executions = await bench.executions(watched.runId);
  return [
    ...(record.markdown === model.markdown ? [] : ['report.md differs from the undisturbed one']),
    ...(JSON.stringify(comparable(record)) === JSON.stringify(comparable(model))
      ? []
      : ['report.json differs from the undisturbed one']),
    ...problemsOfLog(record),
    ...problemsOfKeys(keysOf(withoutOutages(record)), keysOf(model)),
    ...problemsOfFollower(watched.followed, record.events).map(
      (problem) => `who followed it saw that ${problem}`,
    ),
    ...pending.map(({ type }) => `${type} is still pending`),
    ...(executions.filter((execution) => execution !== 'CONTINUED_AS_NEW').join() === 'COMPLETED'
      ? []
      : [`its executions are ${executions.join(', ')}`]),
  ];
}

function problemsOfKeys(keys: readonly string[], expected: readonly string[]): string[] {
  return [
    ...expected.filter((key) => !keys.includes(key)).map((key) => `the event ${key} is lost`),
    ...keys.filter((key) => !expected.includes(key)).map((key) => `the event ${key} is one too many`),
  ];
}
