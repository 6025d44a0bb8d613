import type { Answer } from '../../contracts/answer/answer';
import type { AnswerSettings } from '../../contracts/answer/answer-settings';
import type { AnswerMessage } from '../../contracts/answer/message';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Warning } from '../../contracts/run/run';
import type { Critique } from '../../contracts/verification/critique';
import type { GivenRecords } from '../../sources/read-records';
import type { RequestedSearch } from '../requested-search';
import type { ReadableSources } from '../requested-sources';
import type { RunRequest, TakenUp } from '../run-request';
import type { RunHandle } from '../run-handle';
import type { SteeringOfReports } from '../steering/steer-run';

export interface Corpus {
  manifestRef: ArtifactRef;
  count: number;
}

export interface OpenedCorpus extends Corpus {
  /** Who holds its texts until `delete(heldBy)`; every request holds them besides, from its start. */
  heldBy: string;
  warnings: Warning[];
}

/** What is asked, and what the answer may rest on. `question` or `messages` has to be given, and nothing else. */
export interface AnswerRequest extends RunRequest {
  /** At most 4,000 characters. */
  question?: string;
  /** The first human message is the question, where none is given. */
  messages?: readonly AnswerMessage[];
  observations?: readonly string[];
  /** Whole documents, as records; beside `sources`, but not beside `corpus`. */
  documents?: GivenRecords;
  /** Read and stored now, for this question. */
  sources?: ReadableSources;
  /** Stored before, by `openCorpus` or `colligate import`. */
  corpus?: Corpus;
  /** Where the request looks for sources itself; beside any of the others. */
  search?: RequestedSearch;
  /** What a research agent came to: context, and the reply where no answer can be written. */
  finalOutput?: string;
  /** The turns before the question, oldest first. */
  history?: readonly AnswerMessage[];
  critique?: Partial<Critique>;
  /** Names the request; made from the time where it is absent. */
  requestId?: string;
  answers?: Partial<AnswerSettings>;
}

/** How long is waited for an answer; an abort ends the waiting alone. */
export interface WaitForAnswer {
  signal?: AbortSignal;
}

/** A request that was started. Every method rejects with `RunNotFoundError` where the server knows none of the id. */
export interface AnswerHandle extends Omit<
  RunHandle,
  'outline' | 'report' | 'passResult' | 'kind' | 'owner' | SteeringOfReports
> {
  /** What there is now: null before the reply. */
  reply(): Promise<Answer | null>;
  /**
   * Waits for the reply, over restarts of server and worker. Rejects with `RunWithoutAnswerError` where the request ended
   * with none, and with the reason of `signal` when that aborts.
   */
  answer(options?: WaitForAnswer): Promise<Answer>;
}

export interface StartedAnswer extends TakenUp {
  request: AnswerHandle;
}
