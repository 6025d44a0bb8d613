import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { ArtifactRef } from '../core/contracts/artifact';
import type { Parked, Waiting } from '../core/contracts/outages';
import type { PassName, Progress, RunStatus, Usage } from '../core/contracts/run';

export interface RunUsage {
  total: Usage;
  byPass: Partial<Record<PassName, Usage>>;
}

/** The outline in short; the whole of it lies in the content store under `ref`. */
export interface OutlineAnswer {
  ref: ArtifactRef;
  sections: { id: string; sources: number }[];
}

/** The types of the failure that a run ends with. */
export const RUN_FAILED = 'RunFailed';
/** No model can be asked: the endpoint is not reached, or it refuses the key, the model or the account. */
export const ENGINE_UNREACHABLE = 'EngineUnreachable';

export const progressQuery = defineQuery<Progress>('progress');
/** Null before pass 1 has ended. */
export const outlineQuery = defineQuery<OutlineAnswer | null>('outline');
export const usageQuery = defineQuery<RunUsage>('usage');

export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');

/** The references of what each pass left, as far as the run is; of the deep dive one for each section that is done. */
export interface PassRefs {
  gather?: ArtifactRef;
  overview?: ArtifactRef;
  'deep-dive'?: ArtifactRef[];
  'cross-reference'?: ArtifactRef;
}

/** What a run's memo says of it, so that it can be read while no worker answers queries. */
export interface RunMemo {
  question: string;
  /** ISO 8601; the start of the first history, where the run went on in further ones. */
  startedAt: string;
  status: RunStatus;
  pass: { number: number; of: number; name: PassName; message: string };
  passRefs: PassRefs;
  usage: RunUsage;
  /** As it was told last; the run itself knows when it tries next. */
  waiting?: Waiting | null;
  parked?: Parked | null;
}
