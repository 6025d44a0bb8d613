import {
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';
import { isNestedBeyond, Unreadable } from '../lib/json';

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
  // Whoever asks says of what type it is, and checks it.
  fromPayload: read as PayloadConverter['fromPayload'],
};

function read(payload: Payload, context?: SerializationContext): unknown {
  if (context?.type === 'activity') return defaultPayloadConverter.fromPayload(payload, context);
  try {
    const value = defaultPayloadConverter.fromPayload<unknown>(payload, context);
    return isNestedBeyond(value, MOST_LEVELS)
      ? new Unreadable(`it is nested more than ${MOST_LEVELS} levels deep`, false)
      : value;
  } catch (error) {
    const isEncrypted = textIn(payload, 'encoding') === 'binary/encrypted';
    const reason = isEncrypted ? noKey(payload) : error instanceof Error ? error.message : String(error);
    return new Unreadable(reason.slice(0, REASON_CHARS), isEncrypted);
  }
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
