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

export type { PassRefs } from '../contracts/run';
export type { RunMemo, RunUsage } from '../contracts/run';

/** What it was started with cannot become a run; the details list every problem. */
export const INVALID_INPUT = 'InvalidInput';
export const RUN_FAILED = 'RunFailed';
/** No model can be asked: the endpoint is not reached, or it refuses the key, the model or the account. */
export const ENGINE_UNREACHABLE = 'EngineUnreachable';

export const progressQuery = defineQuery<Progress>('progress');
export const usageQuery = defineQuery<RunUsage>('usage');

/** Its shape, its time or the kind of the run does not allow it; nothing was changed. */
export const MESSAGE_REFUSED = 'MessageRefused';
/** A message of its id was applied before, and it was another one. */
export const MESSAGE_ID_REUSED = 'MessageIdReused';
/** What it refers to cannot be used, or could not be looked at; the message may be sent again when that is mended. */
export const MESSAGE_NOT_USABLE = 'MessageNotUsable';

/** The run ends its history and goes on in a new one, where the message is to be sent again; the server would lose it. */
export const HISTORY_ENDING = 'HistoryEnding';

export const messageUpdate = (name: MessageName): UpdateDefinition<MessageResult, [{ id: string }]> =>
  defineUpdate<MessageResult, [{ id: string }]>(name);

export const steeringQuery = defineQuery<SteeringAnswer>('steering');

export const addSourcesSignal = defineSignal<[AddSources]>('addSources');
export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');
