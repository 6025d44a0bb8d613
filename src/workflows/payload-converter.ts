import {
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';
import { isDeeperThan, UnreadablePayload } from '../lib/json';

// Part of the workflow bundle: do not import Node modules.

/** Above every valid input. The SDK's own recursive walk fails the task for deeper values. */
const MAX_DEPTH = 64;
/** An encoding name from outside can have any length. */
const MAX_REASON_CHARS = 200;

/**
 * Never throws for payloads from outside: the SDK would fail the task on each retry. Results of activities
 * still throw, so that another worker retries.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => defaultPayloadConverter.toPayload(value, context),
  fromPayload: readPayload as PayloadConverter['fromPayload'],
};

function readPayload(payload: Payload, context?: SerializationContext): unknown {
  if (context?.type === 'activity') return defaultPayloadConverter.fromPayload(payload, context);
  try {
    const value = defaultPayloadConverter.fromPayload<unknown>(payload, context);
    return isDeeperThan(value, MAX_DEPTH)
      ? new UnreadablePayload(`it is nested more than ${MAX_DEPTH} levels deep`, false)
      : value;
  } catch (error) {
    const isEncrypted = metadataText(payload, 'encoding') === 'binary/encrypted';
    const reason = isEncrypted
      ? missingKeyReason(payload)
      : error instanceof Error
        ? error.message
        : String(error);
    return new UnreadablePayload(reason.slice(0, MAX_REASON_CHARS), isEncrypted);
  }
}

/** The key id comes from outside, so it is sanitised. */
function missingKeyReason(payload: Payload): string {
  const id = metadataText(payload, 'encryption-key-id').replace(/[^\w.-]/g, '?');
  return `it is encrypted with the key "${id}", which is not here, or is another one here`;
}

function metadataText({ metadata }: Payload, name: string): string {
  return String.fromCharCode(...(metadata?.[name] ?? []).slice(0, 64));
}
