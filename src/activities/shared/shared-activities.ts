import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ContentPart, ContentStart } from '../../contracts/run/content';
import { forgetFormerEvents, type FormerEvents } from './forget-former-events';
import { judgeVersion, type JudgedVersionResult, type JudgeVersionInput } from './judge/judge-version';
import { listArtifacts, type ListArtifactsInput } from './list-artifacts';
import { readContent } from './read-content';
import { recordEvents, type RecordEventsInput } from './record-events';
import type { ActivityOf, Bind } from './under-temporal';

/** What is done for a run of any kind, by the names that histories know. */
export interface SharedActivities {
  forgetFormerEvents: ActivityOf<FormerEvents, void>;
  recordEvents: ActivityOf<RecordEventsInput, void>;
  listArtifacts: ActivityOf<ListArtifactsInput, { listRef: ArtifactRef }>;
  readContent: ActivityOf<ContentStart, ContentPart | null>;
  judgeVersion: ActivityOf<JudgeVersionInput, JudgedVersionResult>;
}

export function sharedActivities(bind: Bind): SharedActivities {
  return {
    forgetFormerEvents: bind(forgetFormerEvents),
    recordEvents: bind(recordEvents),
    listArtifacts: bind(listArtifacts),
    readContent: bind(readContent),
    judgeVersion: bind(judgeVersion),
  };
}
