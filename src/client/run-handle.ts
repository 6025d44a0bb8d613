import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CancelledFailure,
  type Client,
  ServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { ApplicationFailure, type SignalDefinition } from '@temporalio/common';
import type { RunEvent } from '../contracts/event';
import type { JudgedVersion } from '../contracts/judgement';
import type { Outline } from '../contracts/outline';
import { Report } from '../contracts/report';
import {
  type Progress,
  type RunKind,
  RunOutcome,
  type RunStatus,
  type RunUsage,
  type Warning,
} from '../contracts/run';
import { briefPercentDone, LAST_PASS, percentDone } from '../contracts/run-protocol';
import type { ArtifactRef } from '../contracts/source';
import { sectionTexts } from '../report/citations';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import { StoreAwayError } from '../stores/store-errors';
import {
  ENGINE_UNREACHABLE,
  pauseSignal,
  progressQuery,
  resumeSignal,
  usageQuery,
} from '../workflows/messages';
import {
  RunContentGoneError,
  RunKindError,
  RunNotFoundError,
  RunNotRunningError,
  RunWithoutReportError,
  type Steering,
} from './client-errors';
import {
  completionOf,
  type PassResults,
  type PassWithResult,
  readArtifact,
  readPassResult,
  readVersion,
  readVersions,
  type StoredVersion,
} from './pass-results';
import { type DescribedRun, describeRun, type RunRecords } from './run-records';
import { createSteering, failedWith, grpcFailure, type RunSteering, sendMessage } from './steering';

/** How long a worker may take to answer a query before the records are asked instead. */
const QUERY_DEADLINE_MS = 3_000;

/** How long the server may take to say where a run is. */
const ANSWER_DEADLINE_MS = 5_000;

/** How long a server that has just said so may take to take a request to the run: it is there, and may be busy. */
const TAKE_DEADLINE_MS = 30_000;

const NO_WORKER = 'No worker answers at the moment; this is what the server and the event log say.';

/**
 * gRPC's codes for a query that nobody answers: no worker is there to pass it on to, or none answered in time. The server
 * sees the same deadline, and may give up a moment before the client does, which is a cancellation.
 */
const UNANSWERED: readonly number[] = [
  1 /* CANCELLED */, 4 /* DEADLINE_EXCEEDED */, 9 /* FAILED_PRECONDITION */,
];

export function createRunHandle(records: RunRecords & { content: ContentStore }, runId: string): RunHandle {
  const { client, content, events } = records;
  const handle = client.workflow.getHandle(runId);

  /** The client would try for half a minute where the server is away. */
  function describeSoon(): Promise<DescribedRun> {
    return client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, () => describeRun(records, runId));
  }

  /** What the run itself answers, or null where it has closed or no worker answers for it. */
  async function ask<Answer>(described: DescribedRun, query: () => Promise<Answer>): Promise<Answer | null> {
    if (!described.isRunning || !described.hasBegun) return null;
    try {
      return await client.withDeadline(Date.now() + QUERY_DEADLINE_MS, query);
    } catch (error) {
      if (failedWith(error, UNANSWERED)) return null;
      throw error;
    }
  }

  /**
   * A signal waits at the server for a worker, and says all that it has to say by its name. A history that has as many as the server
   * allows takes none, and one that is paused goes on in no new one: there the update of the name is sent.
   */
  const switchTo = (name: 'pause' | 'resume', signal: SignalDefinition): Promise<void> =>
    toRunning(name, async () => {
      try {
        await handle.signal(signal);
      } catch (error) {
        if (!hasItsFill(error)) throw error;
        await sendMessage(records, runId, name, { id: randomUUID() });
      }
    });

  /** The server takes a cancellation of a closed run without a word, so it is looked at first. */
  async function toRunning(steering: Steering, send: () => Promise<unknown>): Promise<void> {
    if (!(await describeSoon()).isRunning) throw new RunNotRunningError(runId, steering);
    try {
      await client.withDeadline(Date.now() + TAKE_DEADLINE_MS, send);
    } catch (error) {
      throw error instanceof WorkflowNotFoundError ? new RunNotRunningError(runId, steering) : error;
    }
  }

  let titles: ReadonlyMap<string, string> = new Map();
  /** The run knows its sections by their ids; the event log has their titles. */
  async function titled(section: Progress['section']): Promise<Progress['section']> {
    if (section === null) return null;
    if (titles.size === 0)
      titles = await events.read(runId).then(sectionTitles, (error: unknown) => {
        // That a run waits for its store is told while the store is away.
        if (error instanceof StoreAwayError) return titles;
        throw error;
      });
    return { ...section, title: titles.get(section.id ?? '') ?? section.title };
  }

  async function ended(): Promise<{ runId: string; kind: RunKind; reportRef: ArtifactRef }> {
    const { kind, memo } = await describeRun(records, runId);
    const completion = await completionOf(events, runId);
    if (completion === null) throw new RunWithoutReportError(runId, memo.status, '', kind);
    return { runId, kind, reportRef: completion.reportRef };
  }

  return {
    runId,
    kind: async () => (await describeSoon()).kind,
    owner: async () => (await describeSoon()).memo.owner ?? null,
    async progress({ fromRecords = false } = {}) {
      const described = await describeSoon();
      const told = fromRecords ? null : await ask(described, () => handle.query(progressQuery));
      const { owner } = described.memo;
      const whose = owner === undefined ? {} : { owner };
      if (told !== null) return { ...told, section: await titled(told.section), toldBy: 'run', ...whose };
      const recorded = recordedProgress(described, await events.read(runId));
      return {
        ...recorded,
        toldBy: 'records',
        ...whose,
        ...(described.isRunning && !fromRecords ? { note: NO_WORKER } : {}),
      };
    },
    async outline() {
      const { memo } = await describeRun(records, runId);
      return readPassResult(content, memo.passRefs, 'overview');
    },
    async usage() {
      const described = await describeRun(records, runId);
      return (await ask(described, () => handle.query(usageQuery))) ?? described.memo.usage;
    },
    pause: () => switchTo('pause', pauseSignal),
    resume: () => switchTo('resume', resumeSignal),
    ...createSteering(records, runId),
    cancel: () => toRunning('cancel', () => handle.cancel()),
    async *events({ after = 0, signal } = {}) {
      await describeRun(records, runId);
      yield* followUntilClosed(client, events, runId, after, signal);
    },
    async waitUntilClosed({ signal } = {}) {
      await describeRun(records, runId);
      return waitUntilClosed(client, runId, signal);
    },
    async report() {
      const { kind } = await describeRun(records, runId);
      if (kind !== 'report') throw new RunKindError(runId, kind, 'It has no report.');
      const completion = await completionOf(events, runId);
      if (completion === null) return null;
      const report = await readArtifact(content, completion.reportRef, Report);
      const markdown = await content.retrieve(completion.markdownRef);
      if (report === null || markdown === null) throw new RunContentGoneError(runId);
      return { report, markdown };
    },
    version: async (n) => readVersion(content, await ended(), n),
    versions: async () => readVersions(content, await ended()),
    async passResult(pass) {
      const { passRefs } = (await describeRun(records, runId)).memo;
      return readPassResult(content, passRefs, pass);
    },
  };
}

const INVALID_ARGUMENT = 3;

/** The server has no code of its own for it. */
function hasItsFill(error: unknown): boolean {
  const failure = grpcFailure(error);
  return failure?.code === INVALID_ARGUMENT && failure.details.includes('limit for signal');
}

/**
 * A run's events as they come. The log's closing event ends them, and so does the end of a run that could not write one
 * because it was terminated: what is in the log by then is given first.
 */
async function* followUntilClosed(
  client: Client,
  events: EventLog,
  runId: string,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  const finished = new AbortController();
  const closed = new AbortController();
  const watched = signal === undefined ? finished.signal : AbortSignal.any([signal, finished.signal]);
  waitUntilClosed(client, runId, watched).then(
    () => closed.abort(),
    (error: unknown) => {
      // A run that was deleted meanwhile ends no log; of any other failure the log knows more.
      if (error instanceof RunNotFoundError) closed.abort();
    },
  );
  let last = after;
  let ended = false;
  try {
    for await (const event of events.follow(runId, {
      after,
      signal: AbortSignal.any([watched, closed.signal]),
    })) {
      last = event.number;
      ended = event.type === 'run-completed' || event.type === 'run-failed';
      yield event;
    }
    if (!ended && closed.signal.aborted) yield* await events.read(runId, { after: last });
  } finally {
    finished.abort();
  }
}

function recordedProgress(
  { runId, kind, memo, startedAt }: DescribedRun,
  events: readonly RunEvent[],
): Progress {
  const outline = latestOutline(events);
  const sections = outline?.payload.sections ?? [];
  const doneIds = sectionsDone(memo.pass.name, events);
  const done = doneIds.size;
  const current = sections.find(({ id }) => !doneIds.has(id)) ?? sections.at(-1);
  const percentOf = kind === 'brief' ? briefPercentDone : percentDone;
  // What is checked of sections no event tells.
  const showsSections =
    kind === 'brief' ? memo.pass.name === 'write' : ['deep-dive', 'report'].includes(memo.pass.name);
  const hasEnded = memo.status === 'completed' || memo.status === 'partial';
  return {
    runId,
    kind,
    status: memo.status,
    pass: { ...memo.pass, of: kind === 'report' ? LAST_PASS : memo.pass.of },
    section:
      !showsSections || current === undefined
        ? null
        : {
            index: Math.min(done, sections.length),
            of: sections.length,
            id: current.id,
            title: current.title,
          },
    percent: hasEnded ? 100 : percentOf(memo.pass.name, { done, of: sections.length }),
    waiting: memo.waiting ?? null,
    parked: memo.parked ?? null,
    usage: memo.usage.total,
    warnings: events.flatMap((event): Warning[] => (event.type === 'warning' ? [event.payload] : [])),
    startedAt: startedAt.toISOString(),
    updatedAt: events.at(-1)?.at ?? startedAt.toISOString(),
  };
}

/** By section id; empty before there is an outline. */
function sectionTitles(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  const outline = latestOutline(events);
  return new Map(outline?.payload.sections.map(({ id, title }) => [id, title]));
}

/** An outline may be replaced by a person's, or planned anew with further sources. */
function latestOutline(
  events: readonly RunEvent[],
): Extract<RunEvent, { type: 'outline-generated' }> | undefined {
  return events.findLast((event) => event.type === 'outline-generated');
}

function sectionsDone(pass: Progress['pass']['name'], events: readonly RunEvent[]): Set<string> {
  if (pass === 'deep-dive')
    return new Set(
      events.flatMap((event) => (event.type === 'deep-dive-section' ? [event.payload.sectionId] : [])),
    );
  if (pass !== 'report' && pass !== 'write') return new Set();
  return new Set([...sectionTexts(events)].filter(([, { isWritten }]) => isWritten).map(([id]) => id));
}

/**
 * Progress, and who told it: the run itself, or the server's description and the event log while no worker answers. `owner` where it is
 * somebody's.
 */
export type RunProgress = Progress & { toldBy: 'run' | 'records'; note?: string; owner?: string };

export type ClosedStatus = Extract<RunStatus, 'completed' | 'partial' | 'cancelled' | 'failed'>;

export interface ClosedRun {
  status: ClosedStatus;
  message?: string;
  engineUnreachable?: true;
}

/** One run. Every method rejects with `RunNotFoundError` where the server knows no run of the id. */
export interface RunHandle extends RunSteering {
  readonly runId: string;
  kind(): Promise<RunKind>;
  /** Whose it is; null where it is nobody's. */
  owner(): Promise<string | null>;
  /** With `fromRecords` no worker is asked, which may take seconds where none answers. */
  progress(options?: { fromRecords?: boolean }): Promise<RunProgress>;
  /** Null before pass 1 has ended. */
  outline(): Promise<Outline | null>;
  /** Calls, tokens and USD so far. */
  usage(): Promise<RunUsage>;
  /**
   * What is under way is finished first. Rejects with `RunNotRunningError` where the run has closed, as `resume` and `cancel` do, and
   * with `MessageUnansweredError` where its history takes no more signals and no worker answers for a minute, as `resume` does.
   */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks for the cancellation; the run closes when its partial report is stored. */
  cancel(): Promise<void>;
  /** Events above `after` as they come; ends after the closing event or on abort. */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<RunEvent>;
  /**
   * Resolves for failed and cancelled runs too. Waits over restarts of server and worker; rejects with the reason of
   * `signal` when that aborts.
   */
  waitUntilClosed(options?: { signal?: AbortSignal }): Promise<ClosedRun>;
  /** What a report stored, partial ones included; null where there is none (yet). Rejects with `RunKindError` for other runs, and with `RunContentGoneError` where it is being deleted. */
  report(): Promise<{ report: Report; markdown: string } | null>;
  /**
   * A version of what an ended run stored, of whatever kind, with how it was judged. Rejects with `UnknownVersionError` where
   * there is none of the number, and with `RunWithoutReportError` before its end.
   */
  version(n: number): Promise<StoredVersion>;
  /** How each version was judged, oldest first; none where the text was not judged. Rejects with `RunWithoutReportError` before its end. */
  versions(): Promise<JudgedVersion[]>;
  /** What a pass left: the catalogue, the outline, the findings, the validated findings; null before its end. */
  passResult<Pass extends PassWithResult>(pass: Pass): Promise<PassResults[Pass] | null>;
}

/** A line of the list of runs. Times are ISO 8601. */
export interface RunSummary {
  runId: string;
  kind: RunKind;
  status: RunStatus;
  question: string;
  startedAt: string;
  closedAt: string | null;
  /** The schedule that it is of; absent where nobody scheduled it. */
  schedule?: string;
  owner?: string;
  /** What its models cost so far; 0 where none costs anything. */
  costUsd: number;
}

const RETRY_MS = 300;

/** The server ends a long poll after 20 seconds; the next one begins at once. */
const WAIT_MS = 60_000;

/** Waits until the run has closed, over restarts of the server; rejects with the signal's reason when it aborts. */
export async function waitUntilClosed(
  client: Client,
  runId: string,
  signal?: AbortSignal,
): Promise<ClosedRun> {
  const end = signal ?? new AbortController().signal;
  for (;;) {
    end.throwIfAborted();
    try {
      const result: unknown = await withOwnSignal(end, (signal) =>
        client.withDeadline(Date.now() + WAIT_MS, () =>
          client.withAbortSignal(signal, () => client.workflow.getHandle(runId).result()),
        ),
      );
      return { status: RunOutcome.parse(result).status === 'partial' ? 'partial' : 'completed' };
    } catch (error) {
      end.throwIfAborted();
      if (error instanceof WorkflowFailedError) return closedBy(error);
      if (error instanceof WorkflowNotFoundError) throw new RunNotFoundError(runId);
      if (!(error instanceof ServiceError)) throw error;
      // The time of this wait is up, or the server is away for a moment.
      await sleep(RETRY_MS);
    }
  }
}

function closedBy({ cause, message }: WorkflowFailedError): ClosedRun {
  if (cause instanceof CancelledFailure) return { status: 'cancelled' };
  const isEngineUnreachable = cause instanceof ApplicationFailure && cause.type === ENGINE_UNREACHABLE;
  return {
    status: 'failed',
    message: cause?.message ?? message,
    ...(isEngineUnreachable ? { engineUnreachable: true } : {}),
  };
}

/** The SDK leaves a listener at a signal for every long poll: they go with one that no later wait uses. */
export async function withOwnSignal<Result>(
  end: AbortSignal,
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const abort = (): void => own.abort(end.reason);
  end.addEventListener('abort', abort);
  try {
    return await wait(own.signal);
  } finally {
    end.removeEventListener('abort', abort);
  }
}
