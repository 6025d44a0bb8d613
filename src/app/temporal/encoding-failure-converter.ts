import { DefaultFailureConverter } from '@temporalio/common';

/** Puts messages and stacks of failures into a payload, which the codec encrypts. Loaded by its path, by clients and workers. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
