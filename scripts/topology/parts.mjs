// Processes that are started together and stopped together.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_MS = 45_000;
const LOOK_MS = 20;
const LAST_LINES = 5;

/** Settings of whoever calls must not reach the parts. */
export function cleanEnvironment(additions) {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(COLLIGATE_|TEMPORAL_|OPENAI_|OTEL_|LANGFUSE_|REDIS_|POSTGRES_|SQL_|PG[A-Z]|LC_)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...additions };
}

/** What is started in it writes its log into `logs`. `failed` hears of a part that ends by itself. */
export function createParts({ logs, failed }) {
  const parts = [];
  const stopping = new AbortController();
  // Where this process ends in a way of its own, nothing stays behind.
  process.on('exit', () => parts.forEach(({ signal }) => signal('SIGKILL')));

  return {
    /** In a process group of its own, so that Ctrl-C comes to this process alone. */
    start(name, program, args, { env = {}, cwd, user = {}, stopSignal = 'SIGTERM', output = 'log' }) {
      if (stopping.signal.aborted) throw new Error(`${name} was not started: everything is being stopped`);
      const file = join(logs, `${name.replaceAll(' ', '-')}.log`);
      const log = openSync(file, 'a', 0o600);
      const child = spawn(program, args, {
        ...user,
        cwd,
        env: cleanEnvironment(env),
        detached: true,
        stdio: ['ignore', output === 'pipe' ? 'pipe' : log, log],
      });
      closeSync(log);
      const part = { name, child, log: file, isExpectedToEnd: false, ended: null };
      part.signal = (signal) => {
        if (child.pid === undefined || part.ended !== null) return;
        // A group whose leader has gone meanwhile.
        try {
          process.kill(-child.pid, signal);
        } catch (error) {
          if (error.code !== 'ESRCH') throw error;
        }
      };
      part.end = async (signal = stopSignal) => {
        part.isExpectedToEnd = true;
        part.signal(signal);
        const force = setTimeout(() => part.signal('SIGKILL'), STOP_MS);
        await part.gone;
        clearTimeout(force);
      };
      part.gone = new Promise((resolve) => {
        const gone = (how) => {
          part.ended ??= how;
          resolve();
          if (!part.isExpectedToEnd && !stopping.signal.aborted)
            failed(new Error(`${name} ${how}. Its log ends: ${lastLines(file)}`));
        };
        child.once('error', (error) => gone(`could not be run (${error.message})`));
        child.once('exit', (code, signal) => gone(`ended with ${code ?? signal}`));
      });
      parts.push(part);
      return part;
    },

    /** Aborts when everything is being stopped. */
    stopping: stopping.signal,

    /** What runs now. */
    running: () => parts.filter(({ ended }) => ended === null),

    async stopAll() {
      stopping.abort(new Error('Everything is being stopped'));
      for (const part of parts.toReversed()) await part.end();
    },
  };
}

/** Resolves when `look` gives true; rejects where the part has ended or it takes too long. */
export async function untilReady(part, look, limitMs = 120_000) {
  const deadline = Date.now() + limitMs;
  while (!(await look())) {
    if (part.ended !== null)
      throw new Error(`${part.name} ${part.ended}. Its log ends: ${lastLines(part.log)}`);
    if (Date.now() > deadline)
      throw new Error(
        `${part.name} was not ready after ${limitMs / 1_000} s. Its log ends: ${lastLines(part.log)}`,
      );
    await sleep(LOOK_MS);
  }
}

function lastLines(file) {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-LAST_LINES).join(' / ') || 'nothing';
}
