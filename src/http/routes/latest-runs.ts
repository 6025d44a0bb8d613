import type { LatestRuns } from '../../pages/start-page';
import type { Caller, Face } from '../face';

const MOST = 10;

export async function latestRuns({ client }: Face, { owner }: Caller): Promise<LatestRuns[]> {
  const ended = (await client.list()).flatMap(({ closedAt, ...run }) =>
    run.owner === owner && closedAt !== null && (run.status === 'completed' || run.status === 'partial')
      ? [{ ...run, minutes: (Date.parse(closedAt) - Date.parse(run.startedAt)) / 60_000 }]
      : [],
  );
  return (['report', 'answer'] as const).flatMap((kind) => {
    const runs = ended.filter((run) => run.kind === kind).slice(0, MOST);
    if (runs.length === 0) return [];
    const costUsd = fromTo(runs.map((run) => run.costUsd));
    return [{ kind, runs: runs.length, costUsd, minutes: fromTo(runs.map(({ minutes }) => minutes)) }];
  });
}

function fromTo(amounts: readonly number[]): [number, number] {
  return [Math.min(...amounts), Math.max(...amounts)];
}
