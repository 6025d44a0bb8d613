import {
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';
import { isNestedBeyond, Unreadable } from '../lib/json';

// Part of the workflow bundle: do not import Node modules.

/** Above every valid input. The SDK's own recursive walk fails the task for deeper values. */
const MOST_LEVELS = 64;
/** An encoding name from outside can have any length. */
const REASON_CHARS = 200;

/**
 * Never throws for payloads from outside: the SDK would fail the task on each retry. Results of activities
 * still throw, so that another worker retries.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => defaultPayloadConverter.toPayload(value, context),
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

/** The key id comes from outside, so it is sanitised. */
function noKey(payload: Payload): string {
  const id = textIn(payload, 'encryption-key-id').replace(/[^\w.-]/g, '?');
  return `it is encrypted with the key "${id}", which is not here, or is another one here`;
}

function textIn({ metadata }: Payload, name: string): string {
  return String.fromCharCode(...(metadata?.[name] ?? []).slice(0, 64));
}
