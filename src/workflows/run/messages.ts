import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Progress } from '../../contracts/run/run';
import type { RunUsage } from '../../contracts/run/run-messages';

export type { PassRefs } from '../../contracts/kinds';
export type { RunMemo, RunUsage } from '../../contracts/run/run-messages';

/** The types of the failure that a run ends with. */
/** What it was started with cannot become a run; the details list every problem. */
export const INVALID_INPUT = 'InvalidInput';
export const RUN_FAILED = 'RunFailed';
/** No model can be asked: the endpoint is not reached, or it refuses the key, the model or the account. */
export const ENGINE_UNREACHABLE = 'EngineUnreachable';

export const progressQuery = defineQuery<Progress>('progress');
export const usageQuery = defineQuery<RunUsage>('usage');

export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');
