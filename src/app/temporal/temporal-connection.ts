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

/** `address` is `host:port`. */
export type ServerTarget = Pick<Config['temporal'], 'namespace' | 'apiKey' | 'tls'> & { address: string };

export function connectionOptions(target: ServerTarget): { address: string; tls: boolean; apiKey?: string } {
  const { address, apiKey, tls } = target;
  return apiKey === null ? { address, tls } : { address, tls: true, apiKey: apiKey.reveal() };
}

/** Throws `UnreachableServerError`. The caller closes the connection. Clients of runs need the `dataConverter`. */
export async function connectClient(
  target: ServerTarget,
  options: { timeoutMs?: number; dataConverter?: DataConverter } = {},
): Promise<{ connection: Connection; client: Client }> {
  const { timeoutMs = 5_000, dataConverter } = options;
  try {
    const connection = await Connection.connect({
      ...connectionOptions(target),
      connectTimeout: timeoutMs,
      interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelWhenClosed],
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

const startedCalls = new WeakSet<object>();

/**
 * Cancels retries on a closed connection. Closing does not stop the retries of the SDK, and gRPC then throws inside a
 * timer, where nobody catches it. New requests still throw.
 */
const cancelWhenClosed: Interceptor = (options, nextCall) => {
  try {
    const call = new InterceptingCall(nextCall(options));
    startedCalls.add(options);
    return call;
  } catch (error) {
    if (!startedCalls.has(options)) throw error;
    return cancelledCall(error instanceof Error ? error.message : String(error));
  }
};

function cancelledCall(details: string): InterceptingCall {
  const nothing = (): void => undefined;
  return new InterceptingCall({
    start(_metadata, listener: Partial<InterceptingListener> = {}) {
      setImmediate(() => {
        // The SDK expects a message before the status, even an empty one.
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

export interface Backoff {
  /** Pause before the next try in milliseconds; null after too many recent tries. */
  next(): number | null;
}

/** Maximum number of tries in 10 minutes. */
const MAX_TRIES = 10;
const TRY_WINDOW_MS = 10 * 60_000;
const MAX_PAUSE_MS = 30_000;

/** The first try has no pause. Later pauses double from 1 s to 30 s. */
export function createBackoff(now: () => number = Date.now): Backoff {
  let begun: number[] = [];
  return {
    next() {
      begun = begun.filter((at) => now() - at < TRY_WINDOW_MS);
      if (begun.length >= MAX_TRIES) return null;
      begun.push(now());
      return begun.length === 1 ? 0 : Math.min(MAX_PAUSE_MS, 1_000 * 2 ** (begun.length - 2));
    },
  };
}
