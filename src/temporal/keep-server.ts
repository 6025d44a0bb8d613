import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../platform/error-message';
import type { RunningServer } from './running-server';
import { ServerGoneError } from './server-gone-error';
import { createTries } from './tries';

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
