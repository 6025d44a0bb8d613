import {
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';
import { Unreadable } from './unreadable';

// The workflow bundle has this file in it: nothing of Node may come in here.

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
      const isEncrypted = textIn(payload, 'encoding') === 'binary/encrypted';
      const reason = isEncrypted ? noKey(payload) : error instanceof Error ? error.message : String(error);
      return new Unreadable(reason, isEncrypted) as Value; // fits no schema, see above
    }
  },
};

/** It comes from outside, and is shown. */
function noKey(payload: Payload): string {
  const id = textIn(payload, 'encryption-key-id').replace(/[^\w.-]/g, '?');
  return `it is encrypted with the key "${id}", which is not here, or is another one here`;
}

/** The beginning of what the metadata say, in ASCII. */
function textIn({ metadata }: Payload, name: string): string {
  return String.fromCharCode(...(metadata?.[name] ?? []).slice(0, 64));
}
