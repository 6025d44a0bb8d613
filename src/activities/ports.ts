import type { EngineName } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import type { AnswerRunInput, BriefRunInput, ReportRunInput } from '../contracts/start';
import type { Embedder, Engine } from '../engines/engine';
import type { ThreadPool } from '../engines/thread-pool';
import type { Pages } from '../sources/pages';
import type { SearchIndexes } from '../sources/search-service';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import type { DerivedStore } from '../stores/stores';
import type { PromptSource, Traces } from './external-ports';
import type { Webhooks } from './webhooks';

export interface ActivityPorts {
  content: ContentStore;
  derived: DerivedStore;
  events: EventLog;
  /** Absent if addresses are refused as sources. */
  pages?: Pages;
  /** Absent if no index is configured. */
  search?: SearchIndexes;
  webhooks?: Webhooks;
  engines: Partial<Record<EngineName, Engine>>;
  /** Null or absent if texts are compared by words alone. */
  embedder?: Embedder | null;
  threads: Pick<ThreadPool, 'run' | 'takeTurn'>;
  /** Prompts kept outside the program; null if there are none. */
  prompts: PromptSource | null;
  traces: Traces;
  runtime: { colligate: string; node: string };
}

export type RunContext = Pick<RunInput, 'runId' | 'question' | 'engine' | 'models' | 'stepVersions'> & {
  /** If not 0, asks the model again whatever is cached. */
  turn?: number;
  /** Sampling temperature; 0 if absent. */
  temperature?: number;
  promptsRef?: ArtifactRef;
  round?: number;
};

export type ReportContext = RunContext & Pick<ReportRunInput, 'synthesis'>;

export type BriefContext = RunContext & Pick<BriefRunInput, 'brief' | 'judge'>;

export type AnswerContext = RunContext & Pick<AnswerRunInput, 'answers'>;

export const ANSWER_WRITER = { pass: 0, step: 'answer' };
