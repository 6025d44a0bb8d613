import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';
import type { z } from 'zod';

/** What a run was started with; null where that does not fit the schema. */
export async function readInputOf<Input>(
  client: Client,
  { runId, historyId }: { runId: string; historyId: string },
  schema: z.ZodType<Input>,
): Promise<Input | null> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: runId, runId: historyId },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const [input] = await decodeArrayFromPayloads(
    client.options.loadedDataConverter,
    started?.input?.payloads ?? null,
  );
  return schema.safeParse(input).data ?? null;
}
