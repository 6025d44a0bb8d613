import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import { z } from 'zod';
import type { EndpointLimit, EngineName } from '../contracts/run';
import { type Engine, type FailureAdvice, getFailureNotes, StepFailedError } from '../engines/engine';
import type { Pages } from '../sources/pages';
import type { SearchIndexes } from '../sources/search-service';
import { CorruptArtifactError } from '../stores/store-errors';
import { MissingArtifactError } from './artifacts';
import type { ActivityPorts } from './ports';

// Runs activities under Temporal: heartbeats, cancellations, and failures in Temporal's terms.

export async function runActivity<Result>(
  ports: ActivityPorts,
  work: (watched: ActivityPorts, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const pulse = createHeartbeatTracker();
  const stopHeartbeat = startHeartbeat(context, pulse);
  try {
    return await work(monitorPorts(ports, pulse), context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) {
      await context.cancelled.catch((reason: unknown) => {
        throw cancellationWithUsage(reason, error);
      });
    }
    throw toActivityFailure(error);
  } finally {
    stopHeartbeat();
  }
}

type Threads = ActivityPorts['threads'];

function monitorPorts(ports: ActivityPorts, pulse: HeartbeatTracker): ActivityPorts {
  const watched = Object.entries(ports.engines).map(([name, engine]) => [name, monitorEngine(engine, pulse)]);
  const { pages, search } = ports;
  return {
    ...ports,
    ...(pages === undefined ? {} : { pages: monitorPages(pages, pulse) }),
    ...(search === undefined ? {} : { search: monitorSearch(search, pulse) }),
    engines: Object.fromEntries(watched) as Partial<Record<EngineName, Engine>>, // under the same names
    threads: monitorThreads(ports.threads, pulse),
  };
}

function monitorEngine(engine: Engine, pulse: HeartbeatTracker): Engine {
  return {
    name: engine.name,
    run: (step, input, context) => pulse.during(step.name, () => engine.run(step, input, context)),
    close: () => engine.close(),
  };
}

function monitorPages(pages: Pages, pulse: HeartbeatTracker): Pages {
  return {
    open(importing) {
      const opened = pages.open(importing);
      return {
        ...opened,
        async *read(addresses, formats) {
          const readings = opened.read(addresses, formats)[Symbol.asyncIterator]();
          try {
            for (;;) {
              const next = await pulse.during('fetching pages', () => readings.next());
              if (next.done === true) return;
              yield next.value;
            }
          } finally {
            await readings.return?.();
          }
        },
      };
    },
  };
}

function monitorSearch(search: SearchIndexes, pulse: HeartbeatTracker): SearchIndexes {
  return {
    ...search,
    open() {
      const opened = search.open();
      return {
        ...opened,
        ask: (index, ...asked) => pulse.during(`searching ${index.name}`, () => opened.ask(index, ...asked)),
      };
    },
  };
}

function monitorThreads(threads: Threads, pulse: HeartbeatTracker): Threads {
  return {
    run: (task, input, signal) => pulse.during(task, () => threads.run(task, input, signal)),
    takeTurn(work, signal) {
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      void pulse.during('waiting for a turn', () => begun);
      const taken = threads.takeTurn(() => {
        begin();
        return work();
      }, signal);
      return taken.finally(begin);
    },
  };
}

/** Failures that every retry would repeat. A `ZodError` is an output that breaks its own contract. */
const PERMANENT_ERRORS = [MissingArtifactError, CorruptArtifactError, StepFailedError, z.ZodError];

/**
 * Converts known errors to an `ApplicationFailure` with type, retry advice and usage. Returns all others unchanged.
 */
export function toActivityFailure(error: unknown): unknown {
  if (error instanceof TemporalFailure || !(error instanceof Error)) return error;
  const notes = getFailureNotes(error);
  const advice = notes?.advice ?? null;
  const isPermanent = PERMANENT_ERRORS.some((type) => error instanceof type);
  // The SDK reports the class name, which differs if a store has its own class. Runs match on `error.name`.
  const isNamed = error.name === error.constructor.name;
  if (!isPermanent && notes === null && isNamed) return error;
  const limit = endpointLimit(advice);
  return ApplicationFailure.create({
    message: error instanceof z.ZodError ? z.prettifyError(error) : error.message,
    type: advice === null ? error.name : `${error.name}.${advice.kind}`,
    nonRetryable: advice === null ? isPermanent : !advice.retryable || limit !== null,
    cause: error,
    ...(notes === null
      ? {}
      : { details: [{ usage: notes.spent, failed: notes.failed, ...(limit === null ? {} : { limit }) }] }),
    ...(advice?.retryable && advice.retryAfterMs !== null ? { nextRetryDelay: advice.retryAfterMs } : {}),
  });
}

/** Temporal retries after a shorter wait. For a longer one the workflow waits and reports it. */
const MAX_RETRY_DELAY_MS = 180_000;

function endpointLimit(advice: FailureAdvice | null): EndpointLimit | null {
  if (advice === null || !advice.retryable) return null;
  const { retryAfterMs, askedOf, says } = advice;
  if (retryAfterMs === null || retryAfterMs <= MAX_RETRY_DELAY_MS) return null;
  return { until: new Date(Date.now() + retryAfterMs).toISOString(), askedOf, says };
}

function cancellationWithUsage(cancelled: unknown, error: unknown): unknown {
  const spent = getFailureNotes(error)?.spent;
  if (!(cancelled instanceof CancelledFailure) || spent === undefined) return cancelled;
  return new CancelledFailure(cancelled.message, [{ usage: spent }], cancelled.cause);
}

/** Heartbeats also deliver cancellations, hence the upper bound (decision 5). */
const MAX_INTERVAL_MS = 1_000;

/** Sends none once the activity hangs, so that the server gives it to another worker. Returns a stop function. */
export function startHeartbeat(context: Context, pulse: HeartbeatTracker): () => void {
  const timeoutMs = context.info.heartbeatTimeoutMs;
  if (timeoutMs === undefined) return () => undefined;
  const timer = setInterval(
    () => {
      const beat = pulse.beat();
      if (beat !== null) context.heartbeat(beat);
    },
    Math.min(timeoutMs / 2, MAX_INTERVAL_MS),
  );
  return () => clearInterval(timer);
}

/** Silence after which an activity counts as hung. Running tasks have their own timeouts and never count. */
const HANG_TIMEOUT_MS = 300_000;

interface HeartbeatDetails {
  doing: string | null;
  done: number;
  /** ISO 8601; when a task last started or ended. */
  movedAt: string;
}

interface HeartbeatTracker {
  during<Result>(doing: string, work: () => Promise<Result>): Promise<Result>;
  beat(): HeartbeatDetails | null;
}

export function createHeartbeatTracker(): HeartbeatTracker {
  const underWay = new Set<{ doing: string }>();
  let done = 0;
  let movedAt = Date.now();
  return {
    async during(doing, work) {
      const piece = { doing };
      underWay.add(piece);
      movedAt = Date.now();
      try {
        return await work();
      } finally {
        underWay.delete(piece);
        done += 1;
        movedAt = Date.now();
      }
    },
    beat() {
      if (underWay.size === 0 && Date.now() - movedAt > HANG_TIMEOUT_MS) return null;
      const doing = [...underWay].at(-1)?.doing ?? null;
      return { doing, done, movedAt: new Date(movedAt).toISOString() };
    },
  };
}
