import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RunNotFoundError } from '../../client/run-errors';
import type { RunHandle, RunProgress } from '../../client/run-handle';
import type { Caller, Face } from '../face';

export const RunIdParams = z.object({ runId: z.string().min(1).max(1_000) });

export function sees({ owner, scope }: Caller, ofWhom: string | null): boolean {
  return scope === 'admin' || owner === ofWhom;
}

type OfARun = Pick<FastifyRequest, 'caller'> & { params: z.infer<typeof RunIdParams> };

/** The run of a request, for those alone who see it: for others there is none, as for an id that nobody has. */
export async function ownRun({ client }: Face, { caller, params: { runId } }: OfARun): Promise<RunHandle> {
  const run = client.run(runId);
  const asked = performance.now();
  const isThere = await run.owner().then(
    (owner) => sees(caller, owner),
    (error: unknown) => {
      if (error instanceof RunNotFoundError) return false;
      throw error;
    },
  );
  if (isThere) return run;
  await evenly(asked);
  throw new RunNotFoundError(runId);
}

const REFUSAL_MS = 100;

/** Waits until a whole tenth of a second has gone by: what is not there and what is another's are refused after the same time. */
export async function evenly(since: number): Promise<void> {
  const gone = performance.now() - since;
  await setTimeout(Math.ceil(gone / REFUSAL_MS) * REFUSAL_MS - gone);
}

/** Where a run is, as `ownRun` for those alone who see it, in one look that they share. */
export async function ownProgress(face: Face, request: OfARun): Promise<RunProgress> {
  const { runId } = await ownRun(face, request);
  return face.progress(runId);
}
