import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config/config';
import { cancelledOnceClosed } from './closed-connection';
import { UnreachableServerError } from './unreachable-server-error';

/** Where a server is and how to be let in; `address` is `host:port`. */
export type ServerTarget = Pick<Config['temporal'], 'namespace' | 'apiKey' | 'tls'> & { address: string };

/** The options that clients' and workers' connections share. */
export function connectionOptions(target: ServerTarget): { address: string; tls: boolean; apiKey?: string } {
  const { address, apiKey, tls } = target;
  return apiKey === null ? { address, tls } : { address, tls: true, apiKey: apiKey.reveal() };
}

/**
 * Connects within the deadline, or throws `UnreachableServerError`. The caller closes the connection. Whoever reads or starts
 * runs gives the converter of the configuration (`payloads/data-converter.ts`).
 */
export async function connectClient(
  target: ServerTarget,
  options: { timeoutMs?: number; dataConverter?: DataConverter } = {},
): Promise<{ connection: Connection; client: Client }> {
  const { timeoutMs = 5_000, dataConverter } = options;
  try {
    const connection = await Connection.connect({
      ...connectionOptions(target),
      connectTimeout: timeoutMs,
      interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelledOnceClosed],
    });
    const { namespace } = target;
    return {
      connection,
      client: new Client({
        connection,
        namespace,
        ...(dataConverter === undefined ? {} : { dataConverter }),
      }),
    };
  } catch (error) {
    throw new UnreachableServerError(target.address, { cause: error });
  }
}
