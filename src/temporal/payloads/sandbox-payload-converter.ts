import {
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';
import { isNestedBeyond } from '../../core/values/is-nested-beyond';
import { Unreadable } from './unreadable';

// The workflow bundle has this file in it: nothing of Node may come in here.

/** Deeper than anything that is asked for. The SDK's own walk through what a workflow is told of itself ends the task behind it. */
const MOST_LEVELS = 64;
/** An encoding may be named by a whole page. */
const REASON_CHARS = 200;

/**
 * Reads what anybody sends to a workflow without ever throwing: the SDK would fail the workflow task at such a payload, for
 * ever, because it stands in the history. What activities return is our own, and throws, so that it is tried again elsewhere.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => defaultPayloadConverter.toPayload(value, context),
  fromPayload<Value>(payload: Payload, context?: SerializationContext): Value {
    try {
      const value = defaultPayloadConverter.fromPayload<Value>(payload, context);
      if (context?.type === 'activity' || !isNestedBeyond(value, MOST_LEVELS)) return value;
      return unreadable(`it is nested more than ${MOST_LEVELS} levels deep`);
    } catch (error) {
      if (context?.type === 'activity') throw error;
      const isEncrypted = textIn(payload, 'encoding') === 'binary/encrypted';
      const reason = isEncrypted ? noKey(payload) : error instanceof Error ? error.message : String(error);
      return unreadable(reason, isEncrypted);
    }
  },
};

/** It fits no schema. */
function unreadable<Value>(reason: string, isEncrypted = false): Value {
  return new Unreadable(reason.slice(0, REASON_CHARS), isEncrypted) as Value; // see `payloadConverter`
}

/** It comes from outside, and is shown. */
function noKey(payload: Payload): string {
  const id = textIn(payload, 'encryption-key-id').replace(/[^\w.-]/g, '?');
  return `it is encrypted with the key "${id}", which is not here, or is another one here`;
}

/** The beginning of what the metadata say, in ASCII. */
function textIn({ metadata }: Payload, name: string): string {
  return String.fromCharCode(...(metadata?.[name] ?? []).slice(0, 64));
}
