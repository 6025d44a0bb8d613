import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../lib/errors';
import { NoServerError, ServerGoneError } from './app-errors';
import type { Config } from './config';
import { isProcessAlive, serverFiles, ServerRecord } from './temporal/server-record';
import { createBackoff } from './temporal/temporal-connection';
import { ensureServer, findServer, type RunningServer } from './temporal/temporal-server';

// Finds, starts, supervises and leaves the Temporal server of a session or a service.

export type ServerNeed = 'start' | 'start-if-used-before' | 'must-run';

export async function isServerRunning(config: Config): Promise<boolean> {
  return config.temporal.address !== null || (await findServer(config.dataDir)) !== null;
}

/** Connects to the server or starts it as `need` allows. Throws `NoServerError` otherwise. */
export async function reachServer(
  config: Config,
  need: ServerNeed,
  tell: OnSessionEvent,
): Promise<RunningServer> {
  if (need !== 'start' && !(await isServerRunning(config))) {
    if (need === 'must-run') throw new NoServerError('No Temporal server is running for this folder.');
    if (!existsSync(serverFiles(config.dataDir).database))
      throw new NoServerError(`No Temporal server is running, and no run was made in ${config.dataDir} yet.`);
  }
  const server = await ensureServer(config, {
    tell: (line) => tell({ what: 'server-prepared', line }),
  });
  const { address, started, wasLeft } = server;
  if (started && need === 'start') tell({ what: 'server-started', address });
  if (wasLeft) tell({ what: 'server-was-left', address });
  return server;
}

export type Close = () => Promise<void>;

/** Limit for closing without a server. Pending work cannot be handed over, and the stores survive it. */
const CLOSE_LIMIT_MS = 3_000;

/**
 * Closes in reverse order and throws the first failure. Without a server it waits 3 s, then kills the folder's own
 * server.
 */
export async function closeAll(
  opened: readonly Close[],
  {
    serverIsThere,
    config,
    tell,
  }: { serverIsThere: boolean; config: Pick<Config, 'dataDir'>; tell: OnSessionEvent },
): Promise<void> {
  if (serverIsThere) await closeEach(opened);
  else if (!(await closeWithoutServer(opened))) killOwnServer(config, tell);
}

/** Returns false if something still waits for the server. */
async function closeWithoutServer(opened: readonly Close[]): Promise<boolean> {
  return Promise.race([
    closeEach(opened).then(
      () => true,
      () => true,
    ),
    delay(CLOSE_LIMIT_MS, false),
  ]);
}

async function closeEach(opened: readonly Close[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of opened.toReversed()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

export function killOwnServer(config: Pick<Config, 'dataDir'>, tell: OnSessionEvent): void {
  try {
    const record = ServerRecord.parse(JSON.parse(readFileSync(serverFiles(config.dataDir).record, 'utf8')));
    if (!record.users.includes(process.pid)) return;
    // The record still lists killed commands.
    const others = record.users.filter((pid) => pid !== process.pid && isProcessAlive(pid));
    if (others.length === 0) process.kill(-record.pid, 'SIGKILL');
    else tell({ what: 'server-stays', address: record.address });
  } catch {
    // There is no record, or the server has already ended.
  }
}

/** Events of an open session or service. `line` is ready to print; the caller words the others. */
export type SessionEvent =
  /** The server binary was found, downloaded or started. */
  | { what: 'server-prepared'; line: string }
  | { what: 'server-state'; line: string }
  | { what: 'server-started'; address: string }
  /** The server was left running by killed commands. */
  | { what: 'server-was-left'; address: string }
  | { what: 'server-stays'; address: string }
  | { what: 'no-search-attributes'; reason: string };

export type OnSessionEvent = (news: SessionEvent) => void;

const POLL_MS = 500;
/** Silence before a message, because a busy machine misses some checks. */
const SILENCE_WARNING_MS = 6_000;
const SILENCE_RESTART_MS = 60_000;

export interface SuperviseOptions {
  /** True if a server that ended is restarted; otherwise the session waits for it. */
  mayStart: boolean;
  say: (line: string) => void;
  stopped: AbortSignal;
}

export interface SupervisedServer {
  isThere: () => boolean;
  /** Never resolves; rejects with `ServerGoneError` if the server died too often. */
  lost: Promise<never>;
}

export function superviseServer(server: RunningServer, options: SuperviseOptions): SupervisedServer {
  const state = { isThere: true };
  const lost = supervise(server, options, state);
  lost.catch(() => undefined); // callers that await it still get the error
  return { isThere: () => state.isThere, lost };
}

async function supervise(
  server: RunningServer,
  { mayStart, say, stopped }: SuperviseOptions,
  state: { isThere: boolean },
): Promise<never> {
  const { address } = server;
  const tries = createBackoff();
  let silentSince: number | null = null;
  let told = false;
  for (;;) {
    await pause(POLL_MS, stopped);
    const look = await server.look();
    state.isThere = look === 'answers';
    const silentMs = look === 'silent' ? Date.now() - (silentSince ??= Date.now()) : 0;
    if (look !== 'silent') silentSince = null;
    if (look === 'gone' && mayStart) {
      say(`The Temporal server at ${address} has ended. It is started again; runs go on where they were.`);
    } else if (!told && (look === 'gone' || silentMs >= SILENCE_WARNING_MS)) {
      say(`The Temporal server at ${address} does not answer. Waiting until it does; Ctrl-C leaves.`);
      told = true;
    }
    if (mayStart && (look === 'gone' || silentMs >= SILENCE_RESTART_MS)) {
      await bringBack();
      state.isThere = true;
    } else if (look === 'gone') {
      state.isThere = await server.renew({ mayStart: false });
    }
    if (!state.isThere || (look === 'answers' && !told)) continue;
    say(`The Temporal server at ${address} answers again.`);
    told = false;
    silentSince = null;
  }

  async function bringBack(): Promise<void> {
    for (let cause: unknown; ;) {
      const pauseMs = tries.next();
      if (pauseMs === null)
        throw new ServerGoneError(address, { cause, why: 'it was started again too often of late' });
      if (pauseMs > 0) say(`The next try at starting it is in ${pauseMs / 1_000} s.`);
      await pause(pauseMs, stopped);
      try {
        if (await server.renew({ mayStart: true })) return;
      } catch (error) {
        if (error instanceof ServerGoneError) throw error;
        cause = error;
        say(`It could not be started: ${errorMessage(error)}`);
      }
    }
  }
}

async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: stopped }).catch(() => new Promise(() => undefined));
}
