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
  type SteeringCommand,
} from './client-errors';
import {
  type PassResults,
  type PassWithResult,
  readArtifact,
  readCompletion,
  readPassResult,
  readVersion,
  readVersions,
  type StoredVersion,
} from './pass-results';
import { type DescribedRun, describeRun, type RunRecords } from './run-records';
import { createSteering, grpcFailure, hasGrpcCode, type RunSteering, sendMessage } from './steering';

/** Time limit of a query. After it, the server's description and the event log are used. */
const QUERY_DEADLINE_MS = 3_000;

/** Time limit of a description by the server. */
const DESCRIBE_DEADLINE_MS = 5_000;

/** Time limit of a signal or cancellation. The server has just answered, so it may only be busy. */
const SIGNAL_DEADLINE_MS = 30_000;

const NO_WORKER = 'No worker answers at the moment; this is what the server and the event log say.';

/**
 * gRPC codes of a query without an answer: no worker polls, or none answers in time. The server has the same deadline and may
 * report it first, as a cancellation.
 */
const UNANSWERED_CODES: readonly number[] = [
  1 /* CANCELLED */, 4 /* DEADLINE_EXCEEDED */, 9 /* FAILED_PRECONDITION */,
];

export function createRunHandle(records: RunRecords & { content: ContentStore }, runId: string): RunHandle {
  const { client, content, events } = records;
  const handle = client.workflow.getHandle(runId);

  /** Without the deadline, the client retries for 30 s while the server is away. */
  function describeSoon(): Promise<DescribedRun> {
    return client.withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () => describeRun(records, runId));
  }

  /** Null if the run has closed or no worker answers. */
  async function ask<Answer>(described: DescribedRun, query: () => Promise<Answer>): Promise<Answer | null> {
    if (!described.isRunning || !described.hasBegun) return null;
    try {
      return await client.withDeadline(Date.now() + QUERY_DEADLINE_MS, query);
    } catch (error) {
      if (hasGrpcCode(error, UNANSWERED_CODES)) return null;
      throw error;
    }
  }

  /**
   * Sends a signal, which waits at the server for a worker. A history with the maximum number of signals accepts none, and a
   * paused run does not continue as new; then the update of the same name is sent.
   */
  const switchTo = (name: 'pause' | 'resume', signal: SignalDefinition): Promise<void> =>
    toRunning(name, async () => {
      try {
        await handle.signal(signal);
      } catch (error) {
        if (!isSignalLimit(error)) throw error;
        await sendMessage(records, runId, name, { id: randomUUID() });
      }
    });

  /** The server accepts a cancellation of a closed run silently, so the run is looked up first. */
  async function toRunning(steering: SteeringCommand, send: () => Promise<unknown>): Promise<void> {
    if (!(await describeSoon()).isRunning) throw new RunNotRunningError(runId, steering);
    try {
      await client.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, send);
    } catch (error) {
      throw error instanceof WorkflowNotFoundError ? new RunNotRunningError(runId, steering) : error;
    }
  }

  let titles: ReadonlyMap<string, string> = new Map();
  /** The query returns section ids; their titles are in the event log. */
  async function titled(section: Progress['section']): Promise<Progress['section']> {
    if (section === null) return null;
    if (titles.size === 0)
      titles = await events.read(runId).then(sectionTitles, (error: unknown) => {
        // Progress must be available while the run waits for the store.
        if (error instanceof StoreAwayError) return titles;
        throw error;
      });
    return { ...section, title: titles.get(section.id ?? '') ?? section.title };
  }

  async function ended(): Promise<{ runId: string; kind: RunKind; reportRef: ArtifactRef }> {
    const { kind, memo } = await describeRun(records, runId);
    const completion = await readCompletion(events, runId);
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
      const recorded = progressFromRecords(described, await events.read(runId));
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
      const completion = await readCompletion(events, runId);
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

/** The server has no error code for the limit. */
function isSignalLimit(error: unknown): boolean {
  const failure = grpcFailure(error);
  return failure?.code === INVALID_ARGUMENT && failure.details.includes('limit for signal');
}

/**
 * Yields events as they arrive. Ends with the closing event, or when the run closes without one because it was terminated; the
 * rest of the log comes first.
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
      // A deleted run never gets a closing event. For other errors the log decides.
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

function progressFromRecords(
  { runId, kind, memo, startedAt }: DescribedRun,
  events: readonly RunEvent[],
): Progress {
  const outline = latestOutline(events);
  const sections = outline?.payload.sections ?? [];
  const doneIds = finishedSections(memo.pass.name, events);
  const done = doneIds.size;
  const current = sections.find(({ id }) => !doneIds.has(id)) ?? sections.at(-1);
  const percentOf = kind === 'brief' ? briefPercentDone : percentDone;
  // No event reports the sections that the cross-reference pass has checked.
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

/** Empty without an outline. */
function sectionTitles(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  const outline = latestOutline(events);
  return new Map(outline?.payload.sections.map(({ id, title }) => [id, title]));
}

/** Users may replace the outline, and added sources may cause a new plan. */
function latestOutline(
  events: readonly RunEvent[],
): Extract<RunEvent, { type: 'outline-generated' }> | undefined {
  return events.findLast((event) => event.type === 'outline-generated');
}

function finishedSections(pass: Progress['pass']['name'], events: readonly RunEvent[]): Set<string> {
  if (pass === 'deep-dive')
    return new Set(
      events.flatMap((event) => (event.type === 'deep-dive-section' ? [event.payload.sectionId] : [])),
    );
  if (pass !== 'report' && pass !== 'write') return new Set();
  return new Set([...sectionTexts(events)].filter(([, { isWritten }]) => isWritten).map(([id]) => id));
}

/**
 * Progress as reported by the run itself, or by the server's description and the event log while no worker answers. `owner` is
 * absent if the run has none.
 */
export type RunProgress = Progress & { toldBy: 'run' | 'records'; note?: string; owner?: string };

export type ClosedStatus = Extract<RunStatus, 'completed' | 'partial' | 'cancelled' | 'failed'>;

export interface ClosedRun {
  status: ClosedStatus;
  message?: string;
  engineUnreachable?: true;
}

/** Every method rejects with `RunNotFoundError` if the server does not know the id. */
export interface RunHandle extends RunSteering {
  readonly runId: string;
  kind(): Promise<RunKind>;
  /** Null if the run has no owner. */
  owner(): Promise<string | null>;
  /** With `fromRecords` no worker is queried, which takes seconds if none answers. */
  progress(options?: { fromRecords?: boolean }): Promise<RunProgress>;
  /** Null before the end of pass 1. */
  outline(): Promise<Outline | null>;
  /** Calls, tokens and USD so far. */
  usage(): Promise<RunUsage>;
  /**
   * Finishes the current work first. `pause`, `resume` and `cancel` reject with `RunNotRunningError` if the run has closed.
   * `pause` and `resume` reject with `MessageUnansweredError` if the history accepts no more signals and no worker answers for 1
   * min.
   */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Requests the cancellation. The run closes once its partial report is stored. */
  cancel(): Promise<void>;
  /** Events after number `after`, as they arrive; ends after the closing event or on abort. */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<RunEvent>;
  /**
   * Resolves for failed and cancelled runs too. Waits across restarts of the server and the workers; rejects with the reason of
   * `signal` on abort.
   */
  waitUntilClosed(options?: { signal?: AbortSignal }): Promise<ClosedRun>;
  /**
   * The stored report, partial ones included; null if there is none (yet). Rejects with `RunKindError` for other kinds, and with
   * `RunContentGoneError` while the run is being deleted.
   */
  report(): Promise<{ report: Report; markdown: string } | null>;
  /**
   * Version `n` of an ended run of any kind, with its judgement. Rejects with `UnknownVersionError`, and with
   * `RunWithoutReportError` before the end.
   */
  version(n: number): Promise<StoredVersion>;
  /**
   * The judgement of each version, oldest first; empty if the text was not judged. Rejects with `RunWithoutReportError` before
   * the end.
   */
  versions(): Promise<JudgedVersion[]>;
  /** The catalogue, outline, findings or validated findings; null if there are none (yet). */
  passResult<Pass extends PassWithResult>(pass: Pass): Promise<PassResults[Pass] | null>;
}

/** Times are ISO 8601. */
export interface RunSummary {
  runId: string;
  kind: RunKind;
  status: RunStatus;
  question: string;
  startedAt: string;
  closedAt: string | null;
  /** Name of the run's schedule; absent for other runs. */
  schedule?: string;
  owner?: string;
  /** USD spent on models so far. */
  costUsd: number;
}

const RETRY_MS = 300;

/** The server ends a long poll after 20 s; the next one starts at once. */
const WAIT_MS = 60_000;

/** Waits across restarts of the server. Rejects with the reason of `signal` on abort. */
export async function waitUntilClosed(
  client: Client,
  runId: string,
  signal?: AbortSignal,
): Promise<ClosedRun> {
  const end = signal ?? new AbortController().signal;
  for (;;) {
    end.throwIfAborted();
    try {
      const result: unknown = await withScopedSignal(end, (signal) =>
        client.withDeadline(Date.now() + WAIT_MS, () =>
          client.withAbortSignal(signal, () => client.workflow.getHandle(runId).result()),
        ),
      );
      return { status: RunOutcome.parse(result).status === 'partial' ? 'partial' : 'completed' };
    } catch (error) {
      end.throwIfAborted();
      if (error instanceof WorkflowFailedError) return toClosedRun(error);
      if (error instanceof WorkflowNotFoundError) throw new RunNotFoundError(runId);
      if (!(error instanceof ServiceError)) throw error;
      // This wait timed out, or the server is briefly away.
      await sleep(RETRY_MS);
    }
  }
}

function toClosedRun({ cause, message }: WorkflowFailedError): ClosedRun {
  if (cause instanceof CancelledFailure) return { status: 'cancelled' };
  const isEngineUnreachable = cause instanceof ApplicationFailure && cause.type === ENGINE_UNREACHABLE;
  return {
    status: 'failed',
    message: cause?.message ?? message,
    ...(isEngineUnreachable ? { engineUnreachable: true } : {}),
  };
}

/** The SDK leaves a listener on the signal for every long poll. Each wait has a signal of its own, so that they are released. */
export async function withScopedSignal<Result>(
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
