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
import { RunKindError } from './client-errors';
import { awaitReply, createBriefHandle, REPLY, startAndAwaitReply } from './kind-handles';
import { storedResult } from './pass-results';
import type { ExportedRun, ExportOptions } from './run-exports';
import { createRunHandle, type RunHandle, type RunSummary } from './run-handle';
import {
  deleteRun,
  describedRun,
  describeRun,
  endedBefore,
  type EndedRun,
  type ImportRecords,
  isDeleted,
  listRecords,
  newRunId,
  ofEveryKind,
  type RunRecords,
  type StartRecords,
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
import { createScheduleHandle, notedOf, ScheduleMemo } from './schedules';
import type { ReadableSources } from './source-input';
import type { KnownCorpus } from './start-answer';
import type { AskedEstimate, EstimatedRun } from './start-run';

export interface ColligateClientOptions {
  /** Connected, and bound to the namespace of the runs. */
  client: Client;
  /** Where the workers of the runs poll; `colligate` by default of theirs. */
  taskQueue: string;
  /** Where the runs' workers keep texts and results: client and workers share their stores. */
  content: ContentStore;
  events: EventLog;
  /** Where runs ask models: what was answered is let go with a deleted run. */
  responses?: ResponseCache;
  /** Where workers keep what they computed of sources; let go with a deleted run as well. */
  derived?: DerivedStore;
  /** Reads the addresses among sources; without it they are refused. */
  pages?: Pages;
  /** The absolute folder from which relative paths of sources start; this process's where it is absent. */
  cwd?: string;
  /** Paths of browsers that print PDFs; the first that is there is taken. */
  browsers?: readonly string[];
  /** Around which quotes an export shows the source's text; `open`, where the licence is, where it is absent. */
  texts?: TextsShown;
}

/** What other services and the command line use: start, follow, signal, fetch. It closes nothing it was given. */
export interface ColligateClient {
  /**
   * Validates the request, stores the sources and starts the run. The id of a running run attaches to it, and rejects
   * with `RunDiffersError` where that has another question; the id of a closed one rejects with
   * `RunClosedError` unless `again`. Rejects with `InvalidRequestError` for a bad question, id or setting, and with
   * `InvalidSourcesError` for bad sources; nothing is started then.
   */
  startReport(request: ReportRequest): Promise<StartedRun>;
  /**
   * What a run is expected to ask of models, with nothing started or stored. Rejects as its start does for what is wrong with the
   * request or its sources.
   */
  estimate(asked: AskedEstimate): Promise<EstimatedRun>;
  /**
   * Asks a question, and resolves with the reply: one call, over restarts of server and worker. Rejects as `startReport`
   * does, with `RunWithoutAnswerError` where the request is cancelled or fails before its reply, and with the reason of
   * `signal` when that aborts; the request goes on then.
   */
  answer(request: AnswerRequest, options?: WaitForAnswer): Promise<Answer>;
  /** Starts answering. The id of a request that is being answered attaches to it, where it asks the same. */
  startAnswer(request: AnswerRequest): Promise<StartedAnswer>;
  /** The request of an id, whoever started it; nothing is looked up yet. */
  answerOf(requestId: string): AnswerHandle;
  /**
   * Writes a brief of subtopics, and resolves with it when the run has ended, over restarts of server and worker. Rejects as
   * `startBrief` does, with `RunWithoutReportError` where the run ended with none, and with the reason of `signal` when that
   * aborts; the run goes on then.
   */
  brief(request: BriefRequest, options?: WaitForBrief): Promise<Brief>;
  /** As `startReport`, for a brief; rejects with `InvalidSubtopicsError` for files that cannot be used. */
  startBrief(request: BriefRequest): Promise<StartedBrief>;
  /** The brief of an id, whoever started it; nothing is looked up yet. */
  briefOf(runId: string): BriefHandle;
  /**
   * What ended runs found, as subtopics of a brief: a report's sections, answers, a brief's subtopics. Rejects with
   * `RunNotFoundError`, and with `InvalidRequestError` where a run has left nothing (yet).
   */
  briefFrom(runIds: readonly string[]): Promise<GivenSubtopic[]>;
  /** Checks and stores sources once, to ask many questions of them; `heldBy` is an id of its own where it is absent. */
  openCorpus(sources: ReadableSources, options?: { heldBy?: string }): Promise<OpenedCorpus>;
  /** The sources of a corpus that was stored before. Rejects with `InvalidRequestError` where it is not in this store. */
  corpus(manifestRef: ArtifactRef): Promise<KnownCorpus>;
  /** Over all kept answers. */
  statistics(): Promise<AnswerStatistics>;
  /** The run of an id, whoever started it; nothing is looked up yet. */
  run(runId: string): RunHandle;
  /** Newest first. */
  list(): Promise<RunSummary[]>;
  runningOf(owner: string): Promise<number>;
  /**
   * Has a run of any kind started again and again. Rejects as the start of the run would, with `InvalidRequestError` for bad times
   * as well, and with `ScheduleExistsError`; nothing is made or stored then.
   */
  createSchedule(request: ScheduleRequest): Promise<ScheduleHandle>;
  /** The schedule of a name; nothing is looked up yet. */
  schedule(name: string): ScheduleHandle;
  /** By name. */
  schedules(): Promise<ScheduleSummary[]>;
  /**
   * What the report of the second run says that the first's did not, and the other way round. Rejects with
   * `RunWithoutReportError` where one of them has none (yet), and with `RunNotFoundError`.
   */
  diff(beforeId: string, afterId: string): Promise<ReportDiff>;
  /**
   * What an ended run left, of whatever kind, as a file of a format. Rejects with `RunNotFoundError`, with `RunWithoutReportError`
   * where it has left nothing (yet), and with `InvalidRequestError` for another format or another way to show texts.
   */
  export(runId: string, format: ExportFormatName, options?: ExportOptions): Promise<ExportedRun>;
  /** Where a run is, and what is written of it so far; of one that has ended, how far it came. Rejects with `RunNotFoundError`. */
  soFar(runId: string): Promise<UnfinishedDocument>;
  /**
   * What a claim of an ended run rests on, by the id that its result has for it. Rejects as `export` does, and with
   * `UnknownClaimError`.
   */
  evidence(runId: string, claimId: string, options?: { texts?: TextsShown }): Promise<ClaimEvidence>;
  /**
   * Runs that ended before a time, as far as they are of this client's task queue, which are what
   * retention deletes. Those that the server has forgotten are among them, by the last of their events.
   */
  endedBefore(before: Date): AsyncIterable<EndedRun>;
  /**
   * Deletes a closed run: its events, its hold on stored content and responses, and its workflow. Rejects with
   * `RunStillRunningError` and with `RunNotFoundError`.
   */
  delete(runId: string): Promise<void>;
}

/** A client over a connection and stores that the caller has opened, and closes. What starts and renders runs loads when it is used. */
export function createColligateClient(options: ColligateClientOptions): ColligateClient {
  const run = (runId: string): RunHandle => createRunHandle(options, runId);
  const briefOf = (runId: string): BriefHandle => createBriefHandle(options, runId);
  return {
    run,
    async startReport(request) {
      const { REPORT } = await import('./start-report.js');
      const { startRun } = await import('./start-run.js');
      const { runId, ...started } = await startRun(options, REPORT, request);
      return { run: run(runId), ...started };
    },
    async estimate(asked) {
      const { estimateAsked } = await import('./start-run.js');
      return estimateAsked(options, asked);
    },
    answer: (request, waiting = {}) => startAndAwaitReply(options, request, waiting),
    async startAnswer(request) {
      const { ANSWER } = await import('./start-answer.js');
      const { startRun } = await import('./start-run.js');
      const { runId, ...started } = await startRun(options, ANSWER, request);
      return { request: createAnswerHandle(options, runId), ...started };
    },
    async brief(request, waiting = {}) {
      const { BRIEF } = await import('./start-report.js');
      const { startRun } = await import('./start-run.js');
      const { runId } = await startRun(options, BRIEF, request);
      return briefOf(runId).brief(waiting);
    },
    async startBrief(request) {
      const { BRIEF } = await import('./start-report.js');
      const { startRun } = await import('./start-run.js');
      const { runId, ...started } = await startRun(options, BRIEF, request);
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
    statistics: () => keptStatistics(options),
    list: () => listRuns(options),
    runningOf: (owner) => runningOf(options, owner),
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
      const { unfinishedRun } = await import('./run-exports.js');
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
  const { importGiven } = await import('./source-input.js');
  const { manifestRef, count, warnings } = await importGiven(records, heldBy, sources);
  return { manifestRef, count, heldBy, warnings };
}

/** All schedules of runs, by name; what others have scheduled on the same server is left out. */
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
      note: notedOf(state.note),
      next: info.nextActionTimes.map((time) => time.toISOString()),
    });
  }
  return schedules.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function keptStatistics(records: {
  events: EventLog;
  content: ContentStore;
}): Promise<AnswerStatistics> {
  const { answerStatistics } = await import('../report/answer-confidence.js');
  return answerStatistics(keptAnswers(records));
}

/** Every answer that is kept, one after the other; of the logs of other runs the first event is looked at alone. */
async function* keptAnswers(records: Pick<StartRecords, 'events' | 'content'>): AsyncGenerator<Answer> {
  for (const runId of await records.events.runs()) {
    const [first] = await records.events.read(runId, { limit: 1 });
    if (first?.type !== 'run-started' || first.payload.kind !== 'answer') continue;
    const answer = await storedResult(records, runId, Answer);
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
      if (!(await isRunning())) return storedResult(records, requestId, Answer);
      return records.client.workflow.getHandle(requestId).query<Answer | null>(REPLY);
    },
    async answer(options = {}) {
      await isRunning();
      return awaitReply(records, requestId, options);
    },
  };
}

/** All runs that the server remembers, newest first; of an id that was run again, the latest. */
async function listRuns({ client, events }: RunRecords): Promise<RunSummary[]> {
  const runs = new Map<string, RunSummary>();
  for await (const info of listRecords(client, ofEveryKind())) {
    if (info.status.name === 'CONTINUED_AS_NEW') continue;
    const described = describedRun(info);
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

async function runningOf({ client }: RunRecords, owner: string): Promise<number> {
  let count = 0;
  for await (const info of listRecords(client, `${ofEveryKind()} AND ExecutionStatus = 'Running'`))
    if (describedRun(info).memo.owner === owner) count += 1;
  return count;
}
