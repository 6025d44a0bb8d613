import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config/config';
import { UnreachableServerError } from './unreachable-server-error';
import {
  InterceptingCall,
  type InterceptingListener,
  type Interceptor,
  Metadata,
  status,
} from '@grpc/grpc-js';

/** Where a server is and how to be let in; `address` is `host:port`. */
export type ServerTarget = Pick<Config['temporal'], 'namespace' | 'apiKey' | 'tls'> & { address: string };

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

/** By their options: the SDK begins a request with the same ones again. */
const begun = new WeakSet<object>();

/**
 * Ends a request that is tried again on a closed connection as cancelled. The SDK tries a failed one again after a pause that neither
 * a signal nor the closing ends; gRPC throws then, within a timer, where nobody catches it. A new request throws, as ever.
 */
const cancelledOnceClosed: Interceptor = (options, nextCall) => {
  try {
    const call = new InterceptingCall(nextCall(options));
    begun.add(options);
    return call;
  } catch (error) {
    if (!begun.has(options)) throw error;
    return cancelled(error instanceof Error ? error.message : String(error));
  }
};

function cancelled(details: string): InterceptingCall {
  const nothing = (): void => undefined;
  return new InterceptingCall({
    start(_metadata, listener: Partial<InterceptingListener> = {}) {
      setImmediate(() => {
        // A status stands behind a message, if an empty one: the SDK counts on it.
        listener.onReceiveMessage?.(null);
        listener.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() });
      });
    },
    sendMessage: nothing,
    sendMessageWithContext: nothing,
    startRead: nothing,
    halfClose: nothing,
    cancelWithStatus: nothing,
    getPeer: () => '',
    getAuthContext: () => null,
  });
}
