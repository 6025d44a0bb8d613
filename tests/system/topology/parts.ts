import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Variables } from './part-settings';

const STOP_MS = 45_000;
const READY_MS = 120_000;
const LOOK_MS = 20;
const SCRIPT_MS = 180_000;
const LAST_LINES = 5;

/** A process of the topology. */
export interface Part {
  name: string;
  child: ChildProcess;
  log: string;
  /** What it has printed, where that does not go into its log. */
  printed(): string;
  /** Whether it may end by itself from now on. */
  mayEnd(): void;
  /** How it has ended; null while it runs. */
  ended(): string | null;
  gone: Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ends it, however long that takes; resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves when `look` gives true; rejects where the part has ended or it takes too long. */
  untilReady(look: () => Promise<boolean>): Promise<void>;
}

export interface PartOptions {
  cwd: string;
  env?: Variables;
  user?: { uid?: number; gid?: number };
  stopSignal?: NodeJS.Signals;
  /** Whether what it prints is read, and does not go into its log. */
  isHeard?: boolean;
}

/** Processes that are started together and stopped together. */
export interface Parts {
  /** In a process group of its own, so that Ctrl-C comes to this process alone. */
  start(name: string, program: string, args: readonly string[], options: PartOptions): Part;
  /** Carries out a script of deploy/, which prepares a part for others; rejects with the last line of what it said. */
  prepare(name: string, script: string, env: Variables): Promise<void>;
  /** What runs now. */
  running(): Part[];
  stopAll(): Promise<void>;
}

/** Settings of whoever calls must not reach the parts. */
function cleanEnvironment(additions: Variables): NodeJS.ProcessEnv {
  const foreign = /^(COLLIGATE_|TEMPORAL_|OPENAI_|OTEL_|LANGFUSE_|REDIS_|POSTGRES_|SQL_|PG[A-Z]|LC_)/;
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(inherited), ...additions };
}

/** What is started writes its log into `logs`. `failed` hears of a part that ends by itself. */
export function createParts(logs: string, failed: (error: Error) => void): Parts {
  const parts: Part[] = [];
  const stopping = new AbortController();
  // Where this process ends in a way of its own, nothing stays behind.
  process.on('exit', () => parts.forEach(({ signal }) => signal('SIGKILL')));
  const logOf = (name: string): string => join(logs, `${name.replaceAll(' ', '-')}.log`);
  return {
    running: () => parts.filter(({ ended }) => ended() === null),

    start(name, program, args, { cwd, env = {}, user = {}, stopSignal = 'SIGTERM', isHeard = false }) {
      if (stopping.signal.aborted) throw new Error(`${name} was not started: everything is being stopped`);
      const file = logOf(name);
      const log = openSync(file, 'a', 0o600);
      const child = spawn(program, args, {
        ...user,
        cwd,
        env: cleanEnvironment(env),
        detached: true,
        stdio: ['ignore', isHeard ? 'pipe' : log, log],
      });
      closeSync(log);
      let printed = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
      let mayEnd = false;
      let ended: string | null = null;
      const lastLines = (): string =>
        readFileSync(file, 'utf8').trim().split('\n').slice(-LAST_LINES).join(' / ') || 'nothing';
      const gone = new Promise<void>((resolve) => {
        const isGone = (how: string): void => {
          ended ??= how;
          resolve();
          if (!mayEnd && !stopping.signal.aborted)
            failed(new Error(`${name} ${how}. Its log ends: ${lastLines()}`));
        };
        child.once('error', (error) => isGone(`could not be run (${error.message})`));
        child.once('close', (code, signal) => isGone(`ended with ${code ?? signal}`));
      });
      const part: Part = {
        name,
        child,
        log: file,
        gone,
        printed: () => printed,
        mayEnd: () => (mayEnd = true),
        ended: () => ended,
        signal(signal) {
          if (child.pid === undefined || ended !== null) return;
          // A group whose leader has gone meanwhile.
          try {
            process.kill(-child.pid, signal);
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
          }
        },
        async end(signal = stopSignal) {
          mayEnd = true;
          part.signal(signal);
          const force = setTimeout(() => part.signal('SIGKILL'), STOP_MS);
          await gone;
          clearTimeout(force);
        },
        async untilReady(look) {
          const deadline = Date.now() + READY_MS;
          while (!(await look())) {
            const late = Date.now() > deadline ? `was not ready after ${READY_MS / 1_000} s` : null;
            const why = ended ?? late;
            if (why !== null) throw new Error(`${name} ${why}. Its log ends: ${lastLines()}`);
            await delay(LOOK_MS);
          }
        },
      };
      parts.push(part);
      return part;
    },

    async prepare(name, script, env) {
      const child = spawn('sh', [script], {
        env: cleanEnvironment(env),
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: SCRIPT_MS,
        signal: stopping.signal,
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      const [code, endedBy] = (await once(child, 'close')) as [number | null, string | null];
      appendFileSync(logOf(name), said, { mode: 0o600 });
      if (code === 0) return;
      const last = said.trim().split('\n').at(-1) || 'it said nothing';
      throw new Error(`${basename(script)} ended with ${code ?? endedBy}: ${last}`);
    },

    async stopAll() {
      stopping.abort(new Error('Everything is being stopped'));
      for (const part of parts.toReversed()) await part.end();
    },
  };
}
