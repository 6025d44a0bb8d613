import type { Client } from '@temporalio/client';
import { Answer, type AnswerStatistics } from '../contracts/answer';
import type { Brief } from '../contracts/brief';
import type { ReportDiff } from '../contracts/report';
import type { TextsShown } from '../contracts/run-settings';
import type { ArtifactRef } from '../contracts/source';
import type { GivenSubtopic } from '../contracts/start';
import type { ClaimEvidence } from '../contracts/verified-report';
import type { UnfinishedDocument } from '../report/document/document';
import type { ExportFormatName } from '../report/document/export-formats';
import type { Pages } from '../sources/pages';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import type { DerivedStore, ResponseCache } from '../stores/stores';
import { awaitReply, createBriefHandle, REPLY, startAndAwaitReply } from './answer-brief-handles';
import { RunKindError } from './client-errors';
import { readStoredResult } from './pass-results';
import type { ExportedRun, ExportOptions } from './run-exports';
import { createRunHandle, type RunHandle, type RunSummary } from './run-handle';
import {
  allRunsQuery,
  deleteRun,
  describeRun,
  endedBefore,
  type EndedRun,
  type ImportRecords,
  isDeleted,
  listRecords,
  newRunId,
  type RunRecords,
  type StartRecords,
  toDescribedRun,
} from './run-records';
import type {
  AnswerHandle,
  AnswerRequest,
  BriefHandle,
  BriefRequest,
  OpenedCorpus,
  ReportRequest,
  ScheduleHandle,
  ScheduleRequest,
  ScheduleSummary,
  StartedAnswer,
  StartedBrief,
  StartedRun,
  WaitForAnswer,
  WaitForBrief,
} from './run-requests';
import { createScheduleHandle, parseNote, ScheduleMemo } from './schedules';
import type { ReadableSources } from './source-input';
import type { KnownCorpus } from './start-answer';
import type { AskedEstimate, EstimatedRun } from './start-run';

export interface ColligateClientOptions {
  /** Connected, and bound to the namespace of the runs. */
  client: Client;
  /** The task queue of the workers, which is `colligate` by default. */
  taskQueue: string;
  /** The stores of the workers: client and workers share them. */
  content: ContentStore;
  events: EventLog;
  /** The workers' cache of model responses. Deleting a run releases its responses. */
  responses?: ResponseCache;
  /** The workers' cache of data computed from sources. Deleting a run releases its entries. */
  derived?: DerivedStore;
  /** Fetches URLs among the sources. Without it, they are rejected. */
  pages?: Pages;
  /** Absolute folder for relative paths of sources. Default: the working directory. */
  cwd?: string;
  /** Paths of browsers that print PDFs; the first existing one is used. */
  browsers?: readonly string[];
  /** Sources whose text an export shows around a quote. Default: `open`, those whose licence allows it. */
  texts?: TextsShown;
}

/** API of services and the command line. It does not close the connection and the stores that it is given. */
export interface ColligateClient {
  /**
   * Validates the request, stores the sources and starts the run. The id of a running run attaches to it, or rejects with
   * `RunDiffersError` if its question differs. The id of a closed run rejects with `RunClosedError` unless `again` is set.
   * Rejects with `InvalidRequestError` for a bad question, id or setting and with `InvalidSourcesError` for bad sources; then
   * nothing is started.
   */
  startReport(request: ReportRequest): Promise<StartedRun>;
  /** Estimates the model calls of a request. Starts and stores nothing; rejects like the start of the run. */
  estimate(asked: AskedEstimate): Promise<EstimatedRun>;
  /**
   * Asks a question and waits for the reply, across restarts of the server and the workers. Rejects like `startReport`, with
   * `RunWithoutAnswerError` if the request fails or is cancelled before its reply, and with the reason of `signal` on abort. An
   * abort does not cancel the request.
   */
  answer(request: AnswerRequest, options?: WaitForAnswer): Promise<Answer>;
  /** Starts a request. The id of a running request attaches to it if the question is the same. */
  startAnswer(request: AnswerRequest): Promise<StartedAnswer>;
  /** Returns the handle of a request without looking it up. Any client may have started it. */
  answerOf(requestId: string): AnswerHandle;
  /**
   * Writes a brief and waits for the end of the run, across restarts of the server and the workers. Rejects like `startBrief`,
   * with `RunWithoutReportError` if the run ends without a brief, and with the reason of `signal` on abort. An abort does not
   * cancel the run.
   */
  brief(request: BriefRequest, options?: WaitForBrief): Promise<Brief>;
  /** Like `startReport`, for a brief. Rejects with `InvalidSubtopicsError` for unusable files. */
  startBrief(request: BriefRequest): Promise<StartedBrief>;
  /** Returns the handle of a brief without looking it up. */
  briefOf(runId: string): BriefHandle;
  /**
   * Results of ended runs as subtopics of a brief: sections of a report, an answer, the subtopics of a brief. Rejects with
   * `RunNotFoundError`, and with `InvalidRequestError` if a run has no result (yet).
   */
  briefFrom(runIds: readonly string[]): Promise<GivenSubtopic[]>;
  /** Validates and stores sources once for many questions. Default of `heldBy`: a new id. */
  openCorpus(sources: ReadableSources, options?: { heldBy?: string }): Promise<OpenedCorpus>;
  /** The sources of a stored corpus. Rejects with `InvalidRequestError` if this store does not have it. */
  corpus(manifestRef: ArtifactRef): Promise<KnownCorpus>;
  /** Over all stored answers. */
  statistics(): Promise<AnswerStatistics>;
  /** Returns the handle of a run without looking it up. Any client may have started it. */
  run(runId: string): RunHandle;
  /** Newest first. */
  list(): Promise<RunSummary[]>;
  runningOf(owner: string): Promise<number>;
  /**
   * Creates a schedule of runs of any kind. Rejects like the start of the run, with `InvalidRequestError` for invalid times, and
   * with `ScheduleExistsError`; then nothing is created or stored.
   */
  createSchedule(request: ScheduleRequest): Promise<ScheduleHandle>;
  /** Returns the handle of a schedule without looking it up. */
  schedule(name: string): ScheduleHandle;
  /** Sorted by name. */
  schedules(): Promise<ScheduleSummary[]>;
  /**
   * Compares the report of the second run with that of the first. Rejects with `RunNotFoundError`, with `RunKindError` for other
   * kinds, and with `RunWithoutReportError` if a run has no report (yet).
   */
  diff(beforeId: string, afterId: string): Promise<ReportDiff>;
  /**
   * The result of an ended run of any kind as a file. Rejects with `RunNotFoundError`, with `RunWithoutReportError` if there is
   * none (yet), and with `InvalidRequestError` for an unknown format or value of `texts`.
   */
  export(runId: string, format: ExportFormatName, options?: ExportOptions): Promise<ExportedRun>;
  /** The state of a run and the text written so far; for an ended run, its last state. Rejects with `RunNotFoundError`. */
  soFar(runId: string): Promise<UnfinishedDocument>;
  /**
   * The evidence of a claim of an ended run; `claimId` is its id in the result. Rejects like `export`, and with
   * `UnknownClaimError`.
   */
  evidence(runId: string, claimId: string, options?: { texts?: TextsShown }): Promise<ClaimEvidence>;
  /**
   * Runs of this client's task queue that ended before a time, for retention. They include runs that the server has forgotten, by
   * the time of their last event.
   */
  endedBefore(before: Date): AsyncIterable<EndedRun>;
  /**
   * Deletes a closed run: its events, its hold on stored content and responses, and its workflow. Rejects with
   * `RunStillRunningError` and `RunNotFoundError`.
   */
  delete(runId: string): Promise<void>;
}

/** The caller opens and closes the connection and the stores. Code that starts or renders runs is loaded on first use. */
export function createColligateClient(options: ColligateClientOptions): ColligateClient {
  const run = (runId: string): RunHandle => createRunHandle(options, runId);
  const briefOf = (runId: string): BriefHandle => createBriefHandle(options, runId);
  return {
    run,
    async startReport(request) {
      const { REPORT_DEFINITION } = await import('./start-report.js');
      const { startRun } = await import('./start-run.js');
      const { runId, ...started } = await startRun(options, REPORT_DEFINITION, request);
      return { run: run(runId), ...started };
    },
    async estimate(asked) {
      const { estimateAnyRequest } = await import('./start-run.js');
      return estimateAnyRequest(options, asked);
    },
    answer: (request, waiting = {}) => startAndAwaitReply(options, request, waiting),
    async startAnswer(request) {
      const { ANSWER_DEFINITION } = await import('./start-answer.js');
      const { startRun } = await import('./start-run.js');
      const { runId, ...started } = await startRun(options, ANSWER_DEFINITION, request);
      return { request: createAnswerHandle(options, runId), ...started };
    },
    async brief(request, waiting = {}) {
      const { BRIEF_DEFINITION } = await import('./start-report.js');
      const { startRun } = await import('./start-run.js');
      const { runId } = await startRun(options, BRIEF_DEFINITION, request);
      return briefOf(runId).brief(waiting);
    },
    async startBrief(request) {
      const { BRIEF_DEFINITION } = await import('./start-report.js');
      const { startRun } = await import('./start-run.js');
      const { runId, ...started } = await startRun(options, BRIEF_DEFINITION, request);
      return { run: briefOf(runId), ...started };
    },
    briefOf,
    async briefFrom(runIds) {
      const { subtopicsOfRuns } = await import('./run-subtopics.js');
      return subtopicsOfRuns(options, runIds);
    },
    answerOf: (requestId) => createAnswerHandle(options, requestId),
    openCorpus: (sources, { heldBy } = {}) => openCorpus(options, sources, heldBy),
    async corpus(manifestRef) {
      const { knownCorpus } = await import('./start-answer.js');
      return knownCorpus(options, manifestRef);
    },
    statistics: () => storedStatistics(options),
    list: () => listRuns(options),
    runningOf: (owner) => countRunningRuns(options, owner),
    async createSchedule(request) {
      const { createSchedule } = await import('./create-schedule.js');
      await createSchedule(options, request);
      return createScheduleHandle(options, request.name);
    },
    schedule: (name) => createScheduleHandle(options, name),
    schedules: () => listSchedules(options),
    async diff(beforeId, afterId) {
      const { diffRuns } = await import('./run-exports.js');
      return diffRuns(run(beforeId), run(afterId));
    },
    async export(runId, format, wanted) {
      const { exportRun } = await import('./run-exports.js');
      return exportRun(options, runId, format, wanted);
    },
    async soFar(runId) {
      const described = await describeRun(options, runId);
      const { unfinishedRun } = await import('./unfinished-run.js');
      return unfinishedRun(options, described);
    },
    async evidence(runId, claimId, wanted) {
      const { claimEvidence } = await import('./run-exports.js');
      return claimEvidence(options, runId, claimId, wanted);
    },
    endedBefore: (before) => endedBefore(options, before),
    delete: (runId) => deleteRun(options, runId),
  };
}

async function openCorpus(
  records: ImportRecords,
  sources: ReadableSources,
  heldBy: string = newRunId('import', new Date()),
): Promise<OpenedCorpus> {
  const { importRequestSources } = await import('./source-input.js');
  const { manifestRef, count, warnings } = await importRequestSources(records, heldBy, sources);
  return { manifestRef, count, heldBy, warnings };
}

/** Skips schedules of other applications on the same server. */
async function listSchedules({ client }: { client: Client }): Promise<ScheduleSummary[]> {
  const schedules: ScheduleSummary[] = [];
  for await (const { scheduleId, memo, state, info } of client.schedule.list()) {
    const told = ScheduleMemo.safeParse(memo).data;
    if (told === undefined) continue;
    const { keptAs: _name, ...known } = told;
    schedules.push({
      name: scheduleId,
      ...known,
      paused: state.paused,
      note: parseNote(state.note),
      next: info.nextActionTimes.map((time) => time.toISOString()),
    });
  }
  return schedules.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function storedStatistics(records: {
  events: EventLog;
  content: ContentStore;
}): Promise<AnswerStatistics> {
  const { answerStatistics } = await import('../report/answer-confidence.js');
  return answerStatistics(storedAnswers(records));
}

/** One at a time. Of other kinds of runs only the first event is read. */
async function* storedAnswers(records: Pick<StartRecords, 'events' | 'content'>): AsyncGenerator<Answer> {
  for (const runId of await records.events.runs()) {
    const [first] = await records.events.read(runId, { limit: 1 });
    if (first?.type !== 'run-started' || first.payload.kind !== 'answer') continue;
    const answer = await readStoredResult(records, runId, Answer);
    if (answer !== null) yield answer;
  }
}

function createAnswerHandle(records: StartRecords, requestId: string): AnswerHandle {
  const run = createRunHandle(records, requestId);
  const isRunning = async (): Promise<boolean> => {
    const { kind, isRunning } = await describeRun(records, requestId);
    if (kind !== 'answer') throw new RunKindError(requestId, kind, 'It has no answer.');
    return isRunning;
  };
  return {
    ...run,
    async reply() {
      if (!(await isRunning())) return readStoredResult(records, requestId, Answer);
      return records.client.workflow.getHandle(requestId).query<Answer | null>(REPLY);
    },
    async answer(options = {}) {
      await isRunning();
      return awaitReply(records, requestId, options);
    },
  };
}

/** Newest first; of several runs with the same id, only the latest. */
async function listRuns({ client, events }: RunRecords): Promise<RunSummary[]> {
  const runs = new Map<string, RunSummary>();
  for await (const info of listRecords(client, allRunsQuery())) {
    if (info.status.name === 'CONTINUED_AS_NEW') continue;
    const described = toDescribedRun(info);
    if (await isDeleted(events, described)) continue;
    const { runId, kind, memo, startedAt, closedAt } = described;
    const known = runs.get(runId);
    const start = startedAt.toISOString();
    if (known !== undefined && known.startedAt >= start) continue;
    runs.set(runId, {
      runId,
      kind,
      status: memo.status,
      question: memo.question,
      startedAt: start,
      closedAt: closedAt?.toISOString() ?? null,
      costUsd: memo.usage.total.costUsd,
      ...(memo.schedule === undefined ? {} : { schedule: memo.schedule }),
      ...(memo.owner === undefined ? {} : { owner: memo.owner }),
    });
  }
  return [...runs.values()].sort((a, b) =>
    a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0,
  );
}

async function countRunningRuns({ client }: RunRecords, owner: string): Promise<number> {
  let count = 0;
  for await (const info of listRecords(client, `${allRunsQuery()} AND ExecutionStatus = 'Running'`))
    if (toDescribedRun(info).memo.owner === owner) count += 1;
  return count;
}
