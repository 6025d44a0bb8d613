import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import { PayloadKeyError } from '../temporal/payloads/payload-key-error';

/** What the server knows of a history. The memo is null where it is encrypted with a key that is not here. */
export type ServerRecord = Omit<WorkflowExecutionInfo, 'memo' | 'raw'> & {
  memo?: WorkflowExecutionInfo['memo'] | null;
  unreadable?: PayloadKeyError;
};

type RawInfo = Parameters<typeof executionInfoFromRaw>[0];

const PAGE_SIZE = 200;

/** Rejects with `WorkflowNotFoundError`, as a handle's `describe` does, where the server knows none of the id. */
export async function describeRecord(client: Client, workflowId: string): Promise<ServerRecord> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (!(error instanceof PayloadKeyError)) throw error;
    const { workflowExecutionInfo } = await client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId },
    });
    if (!workflowExecutionInfo) throw error;
    return { ...(await withoutMemo(client, workflowExecutionInfo)), unreadable: error };
  }
}

/** Lists lag behind, and one memo that cannot be read does not end them. */
export async function* listRecords(client: Client, query: string): AsyncGenerator<ServerRecord> {
  const { namespace, loadedDataConverter } = client.options;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      nextPageToken,
      pageSize: PAGE_SIZE,
    });
    for (const raw of page.executions) {
      const read = executionInfoFromRaw(raw, loadedDataConverter, undefined, namespace);
      yield await read.catch(async (error: unknown) => {
        if (!(error instanceof PayloadKeyError)) throw error;
        return { ...(await withoutMemo(client, raw)), unreadable: error };
      });
    }
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
}

async function withoutMemo(client: Client, raw: RawInfo): Promise<ServerRecord> {
  const { namespace, loadedDataConverter } = client.options;
  // A copy would lack what the message has from its prototype.
  const unread = Object.assign(Object.create(raw) as RawInfo, { memo: null });
  const info = await executionInfoFromRaw(unread, loadedDataConverter, undefined, namespace);
  return { ...info, memo: null };
}
