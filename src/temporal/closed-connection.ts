import {
  InterceptingCall,
  type InterceptingListener,
  type Interceptor,
  Metadata,
  status,
} from '@grpc/grpc-js';

/** By their options: the SDK begins a request with the same ones again. */
const begun = new WeakSet<object>();

/**
 * Ends a request that is tried again on a closed connection as cancelled. The SDK tries a failed one again after a pause that neither
 * a signal nor the closing ends; gRPC throws then, within a timer, where nobody catches it. A new request throws, as ever.
 */
export const cancelledOnceClosed: Interceptor = (options, nextCall) => {
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
