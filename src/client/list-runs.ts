import { describedRun, isDeleted, type RunRecords } from './described-run';
import type { RunSummary } from './run-handle';
import { ofEveryKind } from './of-every-kind';
import { listRecords } from './server-records';

/** All runs that the server remembers, newest first; of an id that was run again, the latest. */
export async function listRuns({ client, events }: RunRecords): Promise<RunSummary[]> {
  const runs = new Map<string, RunSummary>();
  for await (const info of listRecords(client, ofEveryKind())) {
    if (info.status.name === 'CONTINUED_AS_NEW') continue;
    const described = describedRun(info);
    if (await isDeleted(events, described)) continue;
    const { runId, kind, memo, startedAt, closedAt } = described;
    const known = runs.get(runId);
    const start = startedAt.toISOString();
    if (known !== undefined && known.startedAt >= start) continue;
    runs.set(runId, {
      runId,
      kind,
      status: memo.status,
      question: memo.question,
      startedAt: start,
      closedAt: closedAt?.toISOString() ?? null,
      costUsd: memo.usage.total.costUsd,
      ...(memo.schedule === undefined ? {} : { schedule: memo.schedule }),
      ...(memo.owner === undefined ? {} : { owner: memo.owner }),
    });
  }
  return [...runs.values()].sort((a, b) =>
    a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0,
  );
}

export async function runningOf({ client }: RunRecords, owner: string): Promise<number> {
  let count = 0;
  for await (const info of listRecords(client, `${ofEveryKind()} AND ExecutionStatus = 'Running'`))
    if (describedRun(info).memo.owner === owner) count += 1;
  return count;
}
