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
import type { PromptSource, Traces } from './outside-ports';
import type { Webhooks } from './webhooks';

/** What activities need of the outside; the worker owns and closes all of it. */
export interface ActivityPorts {
  content: ContentStore;
  derived: DerivedStore;
  events: EventLog;
  /** Reads the addresses among sources; absent where they are refused. */
  pages?: Pages;
  /** Asks indexes for sources; absent where none is asked. */
  search?: SearchIndexes;
  /** Tells others that runs have ended; absent where there is nothing to sign it with. */
  webhooks?: Webhooks;
  engines: Partial<Record<EngineName, Engine>>;
  /** Absent or null where texts are compared by their words alone. */
  embedder?: Embedder | null;
  threads: Pick<ThreadPool, 'run' | 'takeTurn'>;
  /** Where prompts are kept outside the program; null where they are not. */
  prompts: PromptSource | null;
  traces: Traces;
  /** Goes into a report's provenance; of no effect on its content. */
  runtime: { colligate: string; node: string };
}

export type RunFacts = Pick<RunInput, 'runId' | 'question' | 'engine' | 'models' | 'stepVersions'> & {
  /** Asks a model anew where it is not 0, whatever was answered before. */
  turn?: number;
  /** With what a model writes its texts; 0 where it is absent. */
  temperature?: number;
  /** The prompts that the run was pinned to, where they are not all the program's own. */
  promptsRef?: ArtifactRef;
  /** How often the passes were repeated because sources had been added; absent where never. */
  round?: number;
};

export type ReportFacts = RunFacts & Pick<ReportRunInput, 'synthesis'>;

export type BriefFacts = RunFacts & Pick<BriefRunInput, 'brief' | 'judge'>;

export type AnswerFacts = RunFacts & Pick<AnswerRunInput, 'answers'>;

export const ANSWER_WRITER = { pass: 0, step: 'answer' };
