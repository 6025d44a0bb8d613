import type { RunKind } from '../../contracts/kinds';
import type { RunStatus } from '../../contracts/run/run';
import type { RunSummary } from '../../client/run-handle';
import type { Caller, Face } from '../face';
import { sees } from './own-run';

export interface ListAsked {
  kind?: RunKind | undefined;
  status?: RunStatus | undefined;
  /** Words of the question. */
  search?: string | undefined;
  /** `next` of the page before. */
  cursor?: string | undefined;
  limit: number;
}

/** The runs that somebody sees, newest first, a page at a time. */
export async function listedRuns(
  { client }: Face,
  caller: Caller,
  { kind, status, search, cursor, limit }: ListAsked,
): Promise<{ runs: RunSummary[]; next: string | null }> {
  const wanted = search?.toLowerCase();
  const runs = (await client.list())
    .filter(
      (run) =>
        sees(caller, run.owner ?? null) &&
        (kind === undefined || run.kind === kind) &&
        (status === undefined || run.status === status) &&
        (wanted === undefined || run.question.toLowerCase().includes(wanted)),
    )
    // As cursors compare, those of one moment too.
    .sort((one, other) => (cursorOf(one) < cursorOf(other) ? 1 : -1));
  // A run that comes while one pages stands before the cursor, and moves nothing.
  const from = cursor === undefined ? 0 : runs.findIndex((run) => cursorOf(run) < cursor);
  const page = from < 0 ? [] : runs.slice(from, from + limit);
  const last = page.at(-1);
  return { runs: page, next: last === undefined || from + limit >= runs.length ? null : cursorOf(last) };
}

function cursorOf({ startedAt, runId }: { startedAt: string; runId: string }): string {
  return `${startedAt} ${runId}`;
}
