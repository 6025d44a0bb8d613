import { DefaultFailureConverter } from '@temporalio/common';

/** Moves messages and stacks into a payload, which the codec encrypts. Clients and workers load this module by its path. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
