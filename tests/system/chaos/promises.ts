import type { RunEvent } from '../../../src/contracts/run/event';
import { problemsOfFollower } from '../durability/cut-off-follower';
import { comparable, keysOf, problemsOfLog, type RunRecord } from '../durability/run-log';
import type { Stand } from './stand';
import type { WatchedRun } from './watched-run';

/** What outages add to a log. */
const OF_OUTAGES: readonly RunEvent['type'][] = ['run-waiting', 'run-parked', 'run-goes-on'];

/** What a run left, as it is stored. */
export async function recordOf(stand: Stand, runId: string): Promise<RunRecord | null> {
  const stored = await stand.run(runId).report();
  return stored === null ? null : { ...stored, events: await stand.stores.events.read(runId) };
}

/** Which promises a disturbed run has broken, in sentences; `model` is what the undisturbed run left. */
export async function brokenPromises(
  stand: Stand,
  watched: WatchedRun,
  status: string,
  model: RunRecord,
): Promise<string[]> {
  if (status !== 'completed') return [`it is ${status}`];
  const record = await recordOf(stand, watched.runId);
  if (record === null) return ['it left no report'];
  const pending = await stand.pending(watched.runId);
  const executions = await stand.executions(watched.runId);
  return [
    ...(record.markdown === model.markdown ? [] : ['report.md differs from the undisturbed one']),
    ...(JSON.stringify(comparable(record)) === JSON.stringify(comparable(model))
      ? []
      : ['report.json differs from the undisturbed one']),
    ...problemsOfLog(record),
    ...problemsOfKeys(keysOf(withoutOutages(record)), keysOf(model)),
    ...problemsOfFollower(
      { events: [...watched.followed.events], cuts: [...watched.followed.cuts] },
      record.events,
    ).map((problem) => `who followed it saw that ${problem}`),
    ...pending.map(({ type }) => `${type} is still pending`),
    ...(executions.filter((execution) => execution !== 'CONTINUED_AS_NEW').join() === 'COMPLETED'
      ? []
      : [`its executions are ${executions.join(', ')}`]),
  ];
}

function withoutOutages(record: RunRecord): RunRecord {
  return { ...record, events: record.events.filter(({ type }) => !OF_OUTAGES.includes(type)) };
}

function problemsOfKeys(keys: readonly string[], expected: readonly string[]): string[] {
  return [
    ...expected.filter((key) => !keys.includes(key)).map((key) => `the event ${key} is lost`),
    ...keys.filter((key) => !expected.includes(key)).map((key) => `the event ${key} is one too many`),
  ];
}
