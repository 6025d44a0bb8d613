import type { ArtifactRef } from '../../contracts/run/artifact';
import type { EngineName } from '../../contracts/run/run';
import type { RunInput } from '../../contracts/run/run-input';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { Embedder } from '../../engines/embedder';
import type { Engine } from '../../engines/engine';
import type { SearchIndexes } from '../../search/search-indexes';
import type { Pages } from '../../sources/pages/page-reader';
import type { ContentStore } from '../../stores/content-store';
import type { DerivedStore } from '../../stores/derived-store';
import type { EventLog } from '../../stores/event-log';
import type { PromptSource } from '../../prompts/prompt-source';
import type { ThreadPool } from '../../threads/pool';
import type { Webhooks } from '../../webhooks/webhooks';
import type { Traces } from '../../tracing/traces';

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
