import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { TakenUp } from '../../client/run-request';
import { RunClosedError, RunNotFoundError } from '../../client/run-errors';
import type { RunKind } from '../../contracts/kinds';
import type { Caller, Face } from '../face';
import { type AskedRun, requestOf, startRequested } from './run-request';

interface Started {
  runId: string;
  /** True where the run was going on, or had ended, already. */
  attached: boolean;
  warnings: TakenUp['warnings'];
  estimate: TakenUp['estimate'];
}

/** Starts a run of whoever asks; the same key of theirs is the same run. */
export async function startFor(
  face: Face,
  request: Pick<FastifyRequest, 'caller' | 'gone' | 'uploaded'>,
  asked: AskedRun,
  key: string | undefined,
): Promise<Started> {
  const runId = key === undefined ? undefined : idOf(asked.kind, request.caller, key);
  const giveBack = await admit(face, request.caller, runId);
  try {
    return await startRequested(face, await requestOf(face, asked, request), runId);
  } catch (error) {
    giveBack();
    // Whoever asks again with their key, after the run has ended, asks for that run.
    if (!(error instanceof RunClosedError) || runId === undefined) throw error;
    if ((await face.client.run(runId).owner()) !== request.caller.owner) throw new RunNotFoundError(runId);
    return { runId, attached: true, warnings: [], estimate: null };
  }
}

/** Above the limit, whoever asks again with their key is told of their run all the same. */
async function admit(face: Face, { owner }: Caller, runId: string | undefined): Promise<() => void> {
  try {
    return await face.runLimit.admit(owner);
  } catch (error) {
    const isTheirs =
      runId !== undefined &&
      (await face.client
        .run(runId)
        .owner()
        .catch(() => null)) === owner;
    if (!isTheirs) throw error;
    return () => undefined;
  }
}

/** Nobody who does not know the owner's key comes upon it, and another owner's same key is another run. */
function idOf(kind: RunKind, { owner }: Caller, key: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([owner, kind, key]))
    .digest('hex');
  return `${kind}-${digest.slice(0, 32)}`;
}
