import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../lib/errors';
import { NoServerError, ServerGoneError } from './app-errors';
import type { Config } from './config';
import { isProcessAlive, serverFiles, ServerRecord } from './temporal/server-record';
import { createTries } from './temporal/temporal-connection';
import { ensureServer, findServer, type RunningServer } from './temporal/temporal-server';

/** `start`: an embedded one where none runs; `start-if-used-before`: only where this folder has runs; `must-run`: none is started. */
export type ServerNeed = 'start' | 'start-if-used-before' | 'must-run';

export async function serverRuns(config: Config): Promise<boolean> {
  return config.temporal.address !== null || (await findServer(config.dataDir)) !== null;
}

/** The server to work with, started where `need` allows it. Throws `NoServerError` else. */
export async function reachServer(config: Config, need: ServerNeed, tell: Tell): Promise<RunningServer> {
  if (need !== 'start' && !(await serverRuns(config))) {
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

/** Without a server nobody takes what is under way, so it is not waited for longer; the stores survive that. */
const LEAVE_WITHOUT_SERVER_MS = 3_000;

/**
 * Closes what was opened, the last first; where the server is away, what waits for it is left, and the server with it.
 * Everything is tried; then the first failure is thrown.
 */
export async function closeAll(
  opened: readonly Close[],
  { serverIsThere, config, tell }: { serverIsThere: boolean; config: Pick<Config, 'dataDir'>; tell: Tell },
): Promise<void> {
  if (serverIsThere) await closeEach(opened);
  else if (!(await closeWithoutServer(opened))) takeServerAlong(config, tell);
}

/** False where something waits for the server. */
async function closeWithoutServer(opened: readonly Close[]): Promise<boolean> {
  return Promise.race([
    closeEach(opened).then(
      () => true,
      () => true,
    ),
    delay(LEAVE_WITHOUT_SERVER_MS, false),
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

/** Kills the data folder's server where no other living process uses it; tells that it stays where others do. */
export function takeServerAlong(config: Pick<Config, 'dataDir'>, tell: Tell): void {
  try {
    const record = ServerRecord.parse(JSON.parse(readFileSync(serverFiles(config.dataDir).record, 'utf8')));
    if (!record.users.includes(process.pid)) return;
    // Commands that were killed are still written down.
    const others = record.users.filter((pid) => pid !== process.pid && isProcessAlive(pid));
    if (others.length === 0) process.kill(-record.pid, 'SIGKILL');
    else tell({ what: 'server-stays', address: record.address });
  } catch {
    // Nothing is written down, or it has ended: there is nothing left to kill.
  }
}

/** What happens while a session or a service is open. A face puts it in its own words; a `line` is in words already. */
export type News =
  /** The server's program is got, or started. */
  | { what: 'server-prepared'; line: string }
  /** The server that is kept is silent, has died, or is back. */
  | { what: 'server-state'; line: string }
  | { what: 'server-started'; address: string }
  /** Commands that were killed had left it running. */
  | { what: 'server-was-left'; address: string }
  /** It is not ended at once, because others use it. */
  | { what: 'server-stays'; address: string }
  | { what: 'no-search-attributes'; reason: string };

export type Tell = (news: News) => void;

const LOOK_MS = 500;
/** A busy machine may miss some looks before it is said that the server does not answer. */
const SILENCE_TO_TELL_MS = 6_000;
/** Before a server whose process lives is replaced, it has had this long to answer. */
const SILENCE_TO_END_MS = 60_000;

export interface KeepServerOptions {
  /** Whether the server is started again where it has died; otherwise it is waited for. */
  mayStart: boolean;
  say: (line: string) => void;
  stopped: AbortSignal;
}

export interface KeptServer {
  isThere: () => boolean;
  /** Never resolves; rejects where the server died too often, with `ServerGoneError`. */
  lost: Promise<never>;
}

/** Looks at a server until `stopped`, and brings back one that has died, or waits until it is back. */
export function keepServer(server: RunningServer, options: KeepServerOptions): KeptServer {
  const state = { isThere: true };
  const lost = keep(server, options, state);
  lost.catch(() => undefined); // whoever awaits it is told
  return { isThere: () => state.isThere, lost };
}

async function keep(
  server: RunningServer,
  { mayStart, say, stopped }: KeepServerOptions,
  state: { isThere: boolean },
): Promise<never> {
  const { address } = server;
  const tries = createTries();
  let silentSince: number | null = null;
  let told = false;
  for (;;) {
    await pause(LOOK_MS, stopped);
    const look = await server.look();
    state.isThere = look === 'answers';
    const silentMs = look === 'silent' ? Date.now() - (silentSince ??= Date.now()) : 0;
    if (look !== 'silent') silentSince = null;
    if (look === 'gone' && mayStart) {
      say(`The Temporal server at ${address} has ended. It is started again; runs go on where they were.`);
    } else if (!told && (look === 'gone' || silentMs >= SILENCE_TO_TELL_MS)) {
      say(`The Temporal server at ${address} does not answer. Waiting until it does; Ctrl-C leaves.`);
      told = true;
    }
    if (mayStart && (look === 'gone' || silentMs >= SILENCE_TO_END_MS)) {
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

/** Does not return once `stopped` has aborted. */
async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: stopped }).catch(() => new Promise(() => undefined));
}
