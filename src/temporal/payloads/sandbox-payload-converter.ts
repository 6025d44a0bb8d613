import {
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';
import { Unreadable } from './unreadable';

// The workflow bundle has this file in it: nothing of Node may come in here.

const ENCRYPTED = 'binary/encrypted';

/**
 * Reads what anybody sends to a workflow without ever throwing: the SDK would fail the workflow task at such a payload, for
 * ever, because it stands in the history. What activities return is our own, and throws, so that it is tried again elsewhere.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => defaultPayloadConverter.toPayload(value, context),
  fromPayload<Value>(payload: Payload, context?: SerializationContext): Value {
    try {
      return defaultPayloadConverter.fromPayload<Value>(payload, context);
    } catch (error) {
      if (context?.type === 'activity') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return new Unreadable(reason, encodingOf(payload) === ENCRYPTED) as Value; // fits no schema, see above
    }
  },
};

/** Names of encodings are ASCII. */
function encodingOf({ metadata }: Payload): string {
  return String.fromCharCode(...(metadata?.['encoding'] ?? []).slice(0, ENCRYPTED.length));
}
