import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Config } from '../app/config';
import type { Verifier } from '../app/local-tasks';
import { RunNotFoundError } from '../client/client-errors';
import type { ColligateClient } from '../client/colligate-client';
import type { RunHandle, RunProgress } from '../client/run-handle';
import type { Scope } from '../contracts/run';
import type { AccessStore } from '../stores/stores';
import { HttpProblem } from './problem';

// The context of all routes: access to runs, limits, and shared queries.

export interface ServerParts {
  client: ColligateClient;
  access: AccessStore;
  config: Config;
  verifier: Verifier;
  now: () => Date;
  /** As sentences; empty if runs can be started and executed. */
  whyNotReady: () => Promise<string[]>;
}

export interface ServerContext extends ServerParts {
  /** Asks the run itself. Concurrent callers share a query. */
  progress(runId: string): Promise<RunProgress>;
  limits: Limits;
  runLimit: RunLimit;
}

export function createServerContext<Parts extends ServerParts>(
  parts: Parts,
  limits: Limits,
): Parts & ServerContext {
  return {
    ...parts,
    progress: coalesceCalls((runId) => parts.client.run(runId).progress()),
    limits,
    runLimit: createRunLimit(parts.client, limits.runs),
  };
}

export interface Caller {
  /** Id of the token; null without one. */
  tokenId: string | null;
  owner: string;
  scope: Scope;
  byCookie: boolean;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type Routes = (app: App, face: ServerContext) => void;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scope that a caller needs; `open` for public routes. A route without it fails at startup. */
    scope?: Scope | 'open';
    /** For people: errors are pages, and a caller without a token is asked to sign in. */
    page?: true;
    stream?: true;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Aborts when the client has disconnected. */
    gone: AbortSignal;
  }
}

/** Limits of one owner. A request above a limit gets 429. */
export interface Limits {
  runs: number;
  schedules: number;
  /** Event streams: each holds a connection. */
  streams: number;
  /** Requests with files, which hold space in the temporary folder. */
  uploads: number;
}

/** `runs` is the setting http.maxRunsPerOwner: a service can start the runs of all its users with one token. */
export const LIMITS: Omit<Limits, 'runs'> = { schedules: 100, streams: 100, uploads: 4 };

export function tooManyProblem(what: string, most: number, advice: string): HttpProblem {
  return new HttpProblem(429, 'too-many', `You have ${most} ${what}, which is the limit. ${advice}`);
}

export function createOwnerCounter(): {
  /** Null if the owner has `most` already; otherwise a function that releases the slot. */
  enter(owner: string, most: number): (() => void) | null;
} {
  const counts = new Map<string, number>();
  const change = (owner: string, by: number): void => {
    const count = (counts.get(owner) ?? 0) + by;
    if (count > 0) counts.set(owner, count);
    else counts.delete(owner);
  };
  return {
    enter(owner, most) {
      if ((counts.get(owner) ?? 0) >= most) return null;
      change(owner, 1);
      let isIn = true;
      return () => {
        if (isIn) change(owner, -1);
        isIn = false;
      };
    },
  };
}

/** Time for which a count of running runs is reused. Starts since then are added. */
const COUNT_MS = 2_000;

/** Admits a run before it is started, so that a burst is counted. */
function createRunLimit(
  client: Pick<ColligateClient, 'runningOf'>,
  most: number,
): { admit(owner: string): Promise<() => void> } {
  interface Count {
    at: number;
    running: Promise<number>;
    started: number;
  }
  const counts = new Map<string, Count>();

  function countOf(owner: string): Count {
    const now = performance.now();
    for (const [other, { at }] of counts) if (now - at > COUNT_MS) counts.delete(other);
    const known = counts.get(owner);
    if (known !== undefined) return known;
    const count = { at: now, running: client.runningOf(owner), started: 0 };
    count.running.catch(() => counts.delete(owner));
    counts.set(owner, count);
    return count;
  }

  return {
    async admit(owner) {
      const count = countOf(owner);
      count.started += 1;
      const giveBack = (): void => void (count.started -= 1);
      try {
        if ((await count.running) + count.started > most)
          throw tooManyProblem('running runs', most, 'Wait until one has ended, or cancel one.');
        return giveBack;
      } catch (error) {
        giveBack();
        throw error;
      }
    },
  };
}

type RunLimit = ReturnType<typeof createRunLimit>;

export const RunIdParams = z.object({ runId: z.string().min(1).max(1_000) });

export function canSee({ owner, scope }: Caller, ofWhom: string | null): boolean {
  return scope === 'admin' || owner === ofWhom;
}

type RequestOfRun = Pick<FastifyRequest, 'caller'> & { params: z.infer<typeof RunIdParams> };

/** For callers who may see it. For others it fails as for an unknown id. */
export async function ownRun(
  { client }: ServerContext,
  { caller, params: { runId } }: RequestOfRun,
): Promise<RunHandle> {
  const run = client.run(runId);
  const asked = performance.now();
  const isThere = await run.owner().then(
    (owner) => canSee(caller, owner),
    (error: unknown) => {
      if (error instanceof RunNotFoundError) return false;
      throw error;
    },
  );
  if (isThere) return run;
  await padResponseTime(asked);
  throw new RunNotFoundError(runId);
}

const REFUSAL_MS = 100;

/** Waits for the end of a 100 ms step, so that the time does not tell a missing run from one of another owner. */
export async function padResponseTime(since: number): Promise<void> {
  const gone = performance.now() - since;
  await setTimeout(Math.ceil(gone / REFUSAL_MS) * REFUSAL_MS - gone);
}

export async function ownProgress(face: ServerContext, request: RequestOfRun): Promise<RunProgress> {
  const { runId } = await ownRun(face, request);
  return face.progress(runId);
}

/**
 * Coalesces calls with the same id: a call during another one shares the next, which begins after that one
 * has ended. So no result is older than its request.
 */
export function coalesceCalls<Seen>(look: (id: string) => Promise<Seen>): (id: string) => Promise<Seen> {
  interface Thing {
    seen: Promise<Seen>;
    next: Promise<Seen> | null;
  }
  const things = new Map<string, Thing>();

  function lookAt(id: string): Promise<Seen> {
    const seen = look(id);
    const thing: Thing = { seen, next: null };
    things.set(id, thing);
    const end = (): void => {
      if (things.get(id) === thing && thing.next === null) things.delete(id);
    };
    seen.then(end, end);
    return seen;
  }

  return (id) => {
    const thing = things.get(id);
    if (thing === undefined) return lookAt(id);
    const again = (): Promise<Seen> => lookAt(id);
    return (thing.next ??= thing.seen.then(again, again));
  };
}
