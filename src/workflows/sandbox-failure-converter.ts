import {
  DefaultFailureConverter,
  type FailureConverter,
  type PayloadConverter,
  type ProtoFailure,
} from '@temporalio/common';

// Part of the workflow bundle: do not import Node modules.

const encoding = new DefaultFailureConverter({ encodeCommonAttributes: true });
const plain = new DefaultFailureConverter();

/** The worker sets the global, because the bundle is built before the encryption setting is known. */
export const failureConverter: FailureConverter = {
  errorToFailure: (error: unknown, payloads: PayloadConverter, context): ProtoFailure =>
    ('__colligateEncodesFailures' in globalThis ? encoding : plain).errorToFailure(error, payloads, context),
  failureToError: (failure, payloads, context) => plain.failureToError(failure, payloads, context),
};
