import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RunNotFoundError } from '../../client/run-errors';
import type { RunHandle, RunProgress } from '../../client/run-handle';
import type { Caller, Face } from '../face';

export const RunIdParams = z.object({ runId: z.string().min(1).max(1_000) });

/** Whether somebody sees what is an owner's: their own, and everything where they administer. */
export function sees({ owner, scope }: Caller, ofWhom: string | null): boolean {
  return scope === 'admin' || owner === ofWhom;
}

type OfARun = Pick<FastifyRequest, 'caller'> & { params: z.infer<typeof RunIdParams> };

/** The run of a request, for those alone who see it: for others there is none, as for an id that nobody has. */
export async function ownRun({ client }: Face, { caller, params: { runId } }: OfARun): Promise<RunHandle> {
  const run = client.run(runId);
  if (!sees(caller, await run.owner())) throw new RunNotFoundError(runId);
  return run;
}

/** Where a run is, as `ownRun` for those alone who see it, in one look that they share. */
export async function ownProgress(face: Face, request: OfARun): Promise<RunProgress> {
  const { caller, params } = request;
  try {
    const progress = await face.progress(params.runId);
    if (sees(caller, progress.owner ?? null)) return progress;
  } catch (error) {
    // Why it cannot be told is told to those alone who see it.
    await ownRun(face, request);
    throw error;
  }
  throw new RunNotFoundError(params.runId);
}
