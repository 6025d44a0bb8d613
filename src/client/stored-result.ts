import type { z } from 'zod';
import type { RunEvent } from '../contracts/run/event';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import { readArtifact } from './pass-results/read-pass-result';

/** Where a run has stored its result, by its log; null where it has none, or none yet. */
export async function completionOf(
  events: EventLog,
  runId: string,
): Promise<Extract<RunEvent, { type: 'run-completed' }>['payload'] | null> {
  for (const event of await events.read(runId)) if (event.type === 'run-completed') return event.payload;
  return null;
}

/** The result that a run's log names; null where there is none (yet), or where its content is gone. */
export async function storedResult<Result>(
  { events, content }: { events: EventLog; content: ContentStore },
  runId: string,
  schema: z.ZodType<Result>,
): Promise<Result | null> {
  const completion = await completionOf(events, runId);
  return completion === null ? null : readArtifact(content, completion.reportRef, schema);
}
