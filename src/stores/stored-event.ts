import { z } from 'zod';
import { RunEventBody, type RunEvent } from '../contracts/run/event';
import { StoreDamagedError } from './errors/store-damaged-error';

/** An event as adapters keep it, before it is known to be one. */
export const StoredEvent = z.object({
  key: z.string(),
  at: z.string(),
  type: z.unknown(),
  payload: z.unknown(),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

/** What was read at an event's place in the log. Throws `StoreDamagedError` where it is no event. */
export function readStoredEvent(
  value: unknown,
  { runId, number, path }: { runId: string; number: number; path: string },
): RunEvent {
  const stored = StoredEvent.safeParse(value);
  if (!stored.success) throw damaged(path, { runId, number }, stored.error);
  const { key, at, type, payload } = stored.data;
  const body = RunEventBody.safeParse({ type, payload });
  if (!body.success) throw damaged(path, { runId, number }, body.error);
  return { ...body.data, runId, number, key, at };
}

function damaged(
  path: string,
  { runId, number }: { runId: string; number: number },
  cause: z.ZodError,
): StoreDamagedError {
  const problem = `the event ${number} of the run ${runId} does not fit its schema (${z.prettifyError(cause)})`;
  return new StoreDamagedError(path, problem, { cause });
}
