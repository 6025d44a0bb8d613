import type { UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  AddSources,
  MessageName,
  MessageResult,
  Progress,
  RunUsage,
  SteeringAnswer,
} from '../contracts/run';

// Queries, updates, signals and failure types that clients share.

export type { PassRefs } from '../contracts/run';
export type { RunMemo, RunUsage } from '../contracts/run';

export const INVALID_INPUT = 'InvalidInput';
export const RUN_FAILED = 'RunFailed';
/** The endpoint is unreachable, or rejects the key, the model or the account. */
export const ENGINE_UNREACHABLE = 'EngineUnreachable';

export const progressQuery = defineQuery<Progress>('progress');
export const usageQuery = defineQuery<RunUsage>('usage');

/** The message has a wrong shape, came too late, or does not fit the kind of run. */
export const MESSAGE_REFUSED = 'MessageRefused';
/** The id was used for another message. */
export const MESSAGE_ID_REUSED = 'MessageIdReused';
/** The referenced content is invalid or unreadable; send the message again after a fix. */
export const MESSAGE_NOT_USABLE = 'MessageNotUsable';

/** The run continues as new, and the server would drop the update; send it again. */
export const HISTORY_ENDING = 'HistoryEnding';

export const messageUpdate = (name: MessageName): UpdateDefinition<MessageResult, [{ id: string }]> =>
  defineUpdate<MessageResult, [{ id: string }]>(name);

export const steeringQuery = defineQuery<SteeringAnswer>('steering');

export const addSourcesSignal = defineSignal<[AddSources]>('addSources');
export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');
