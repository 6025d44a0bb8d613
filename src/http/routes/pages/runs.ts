import { z } from 'zod';
import { RunKind } from '../../../contracts/kinds';
import { RunStatus } from '../../../contracts/run/run';
import { runSnapshot } from '../../../core/run/run-snapshot';
import { type ListedRun, listOfRuns } from '../../../pages/list-of-runs';
import type { Face, Routes } from '../../face';
import { listedRuns } from '../listed-runs';
import { sendPage, viewerOf } from './looked-at';

const A_PAGE = 50;
/** What a form leaves empty is not asked for. */
const orNone = <Value extends z.ZodType>(value: Value) =>
  z.union([z.literal('').transform(() => undefined), value]).optional();

export const runsPages: Routes = (app, face) => {
  app.get(
    '/',
    {
      config: { scope: 'read', page: true },
      schema: {
        hide: true,
        querystring: z.object({
          kind: orNone(RunKind),
          status: orNone(RunStatus),
          search: orNone(z.string().max(200)),
          cursor: z.string().max(2_000).optional(),
        }),
      },
    },
    async (request, reply) => {
      const { cursor, ...asked } = request.query;
      const { runs, next } = await listedRuns(face, request.caller, { ...asked, cursor, limit: A_PAGE });
      const waiting = await Promise.all(runs.map(async (run) => ({ ...run, wait: await waitOf(face, run) })));
      const given = (['kind', 'status', 'search'] as const).flatMap((name): [string, string][] =>
        asked[name] === undefined ? [] : [[name, asked[name]]],
      );
      const older = next === null ? null : `/?${String(new URLSearchParams([...given, ['cursor', next]]))}`;
      return sendPage(reply, listOfRuns(viewerOf(request), { runs: waiting, older, asked }));
    },
  );
};

const STANDS: readonly RunStatus[] = ['queued', 'waiting', 'pausing', 'paused', 'awaiting-approval'];

/** What a run waits for that stands still. Its records are asked, so that one that nobody answers for holds nobody up. */
async function waitOf(
  { client }: Face,
  { runId, status }: Omit<ListedRun, 'wait'>,
): Promise<ListedRun['wait']> {
  if (!STANDS.includes(status)) return null;
  try {
    return runSnapshot(await client.run(runId).progress({ fromRecords: true }), null).wait;
  } catch {
    // Deleted since it was listed.
    return null;
  }
}
