import {
  InterceptingCall,
  type InterceptingListener,
  type Interceptor,
  Metadata,
  status,
} from '@grpc/grpc-js';
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { UnreachableServerError } from '../app-errors';
import type { Config } from '../config';

/** Where a server is and how to be let in; `address` is `host:port`. */
export type ServerTarget = Pick<Config['temporal'], 'namespace' | 'apiKey' | 'tls'> & { address: string };

export function connectionOptions(target: ServerTarget): { address: string; tls: boolean; apiKey?: string } {
  const { address, apiKey, tls } = target;
  return apiKey === null ? { address, tls } : { address, tls: true, apiKey: apiKey.reveal() };
}

/**
 * Connects within the deadline, or throws `UnreachableServerError`. The caller closes the connection. Whoever reads or starts
 * runs gives the converter of the configuration (`app/temporal/payload-encryption.ts`).
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

export interface Tries {
  /** How long to wait before the next try, in milliseconds; null where there were too many of late. */
  next(): number | null;
}

/** So many within this time are no accident any more. */
const MOST = 10;
const WITHIN_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 30_000;

/** The first try comes at once, and each further one after twice as long. */
export function createTries(now: () => number = Date.now): Tries {
  let begun: number[] = [];
  return {
    next() {
      begun = begun.filter((at) => now() - at < WITHIN_MS);
      if (begun.length >= MOST) return null;
      begun.push(now());
      return begun.length === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (begun.length - 2));
    },
  };
}
