import {
  DefaultFailureConverter,
  type FailureConverter,
  type PayloadConverter,
  type ProtoFailure,
} from '@temporalio/common';

// The workflow bundle has this file in it: nothing of Node may come in here.

const encoding = new DefaultFailureConverter({ encodeCommonAttributes: true });
const plain = new DefaultFailureConverter();

/** The bundle is made before anybody knows whether payloads are encrypted: its worker says so in front of it (`workflow-code.ts`). */
export const failureConverter: FailureConverter = {
  errorToFailure: (error: unknown, payloads: PayloadConverter, context): ProtoFailure =>
    ('__colligateEncodesFailures' in globalThis ? encoding : plain).errorToFailure(error, payloads, context),
  failureToError: (failure, payloads, context) => plain.failureToError(failure, payloads, context),
};
