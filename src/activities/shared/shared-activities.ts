import type { ArtifactRef } from '../../contracts/run/artifact';
import { forgetFormerEvents, type FormerEvents } from './forget-former-events';
import { judgeVersion, type JudgedVersionResult, type JudgeVersionInput } from './judge/judge-version';
import { listArtifacts, type ListArtifactsInput } from './list-artifacts';
import { recordEvents, type RecordEventsInput } from './record-events';
import type { ActivityOf, Bind } from './under-temporal';

/** What is done for a run of any kind, by the names that histories know. */
export interface SharedActivities {
  forgetFormerEvents: ActivityOf<FormerEvents, void>;
  recordEvents: ActivityOf<RecordEventsInput, void>;
  listArtifacts: ActivityOf<ListArtifactsInput, { listRef: ArtifactRef }>;
  judgeVersion: ActivityOf<JudgeVersionInput, JudgedVersionResult>;
}

export function sharedActivities(bind: Bind): SharedActivities {
  return {
    forgetFormerEvents: bind(forgetFormerEvents),
    recordEvents: bind(recordEvents),
    listArtifacts: bind(listArtifacts),
    judgeVersion: bind(judgeVersion),
  };
}
