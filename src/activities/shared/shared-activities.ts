import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ContentPart, ContentStart } from '../../contracts/run/content';
import type { WebhookStart } from '../../contracts/run/webhook';
import { forgetFormerEvents, type FormerEvents } from './forget-former-events';
import { judgeVersion, type JudgedVersionResult, type JudgeVersionInput } from './judge/judge-version';
import { listArtifacts, type ListArtifactsInput } from './list-artifacts';
import { readContent } from './read-content';
import { recordEvents, type RecordEventsInput } from './record-events';
import { admitSources, type AdmitSourcesInput, type AdmittedSources } from './admit-sources';
import { postWebhook } from './post-webhook';
import { askIndexes, type AskedIndexes, type AskIndexesInput } from './search/ask-indexes';
import { chooseWorks, type ChooseWorksInput } from './search/choose-works';
import { planQueries, type PlannedQueries, type PlanQueriesInput } from './search/plan-queries';
import { readWorks, type ReadWorks, type ReadWorksInput } from './search/read-works';
import { settleSearch, type SettledSearch, type SettleSearchInput } from './search/settle-search';
import type { ActivityOf, Bind } from './under-temporal';

/** What is done for a run of any kind, by the names that histories know. */
export interface SharedActivities {
  forgetFormerEvents: ActivityOf<FormerEvents, void>;
  recordEvents: ActivityOf<RecordEventsInput, void>;
  listArtifacts: ActivityOf<ListArtifactsInput, { listRef: ArtifactRef }>;
  readContent: ActivityOf<ContentStart, ContentPart | null>;
  judgeVersion: ActivityOf<JudgeVersionInput, JudgedVersionResult>;
  planQueries: ActivityOf<PlanQueriesInput, PlannedQueries>;
  askIndexes: ActivityOf<AskIndexesInput, AskedIndexes>;
  chooseWorks: ActivityOf<ChooseWorksInput, { worksRef: ArtifactRef; works: number }>;
  readWorks: ActivityOf<ReadWorksInput, ReadWorks>;
  settleSearch: ActivityOf<SettleSearchInput, SettledSearch>;
  admitSources: ActivityOf<AdmitSourcesInput, AdmittedSources>;
  postWebhook: ActivityOf<WebhookStart, void>;
}

export function sharedActivities(bind: Bind): SharedActivities {
  return {
    forgetFormerEvents: bind(forgetFormerEvents),
    recordEvents: bind(recordEvents),
    listArtifacts: bind(listArtifacts),
    readContent: bind(readContent),
    judgeVersion: bind(judgeVersion),
    planQueries: bind(planQueries),
    askIndexes: bind(askIndexes),
    chooseWorks: bind(chooseWorks),
    readWorks: bind(readWorks),
    settleSearch: bind(settleSearch),
    admitSources: bind(admitSources),
    postWebhook: bind(postWebhook),
  };
}
