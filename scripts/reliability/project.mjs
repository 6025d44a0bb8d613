// A project folder of its own, with commands of the built command line in it as separate processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../checkout.mjs';

const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';
const NOTES = join(root, 'examples', 'vitamin-d');
const STOP_LIMIT_MS = 30_000;

/** Settings of whoever measures must not be in the figures; where the server's binary is cached is no such setting. */
function environment(baseUrl) {
  const foreign = (name) => /^(COLLIGATE|TEMPORAL|OPENAI)_/.test(name) && name !== 'COLLIGATE_CACHE_DIR';
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign(name))),
    OPENAI_BASE_URL: baseUrl,
    COLLIGATE_MODEL_FAST: 'good',
    COLLIGATE_MODEL_STRONG: 'good',
    COLLIGATE_MAX_CONCURRENT_CALLS: '8',
    // So that a model which hangs is given up in the time of a measurement.
    COLLIGATE_MODEL_TIMEOUT_MS: '10000',
    COLLIGATE_MODEL_INACTIVITY_MS: '5000',
  };
}

export function openProject(baseUrl) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-reliability-'));
  const running = new Set();

  function start(...args) {
    const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...args], {
      cwd: folder,
      env: environment(baseUrl),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    const said = [];
    child.stderr.setEncoding('utf8').on('data', (text) => said.push(text));
    const ended = once(child, 'close').then(([code]) => {
      running.delete(child);
      return { code, said: said.join('') };
    });
    return { child, pid: child.pid, ended };
  }

  return {
    start,
    /** A command that stays, when it is ready. */
    async serve(name) {
      const command = start(name, '--json');
      await Promise.race([
        once(createInterface(command.child.stdout), 'line'),
        command.ended.then(({ said }) => {
          throw new Error(`${name} ended:\n${said}`);
        }),
      ]);
      return command;
    },
    report: (id, ...flags) => start('report', QUESTION, '--sources', NOTES, '--id', id, '--json', ...flags),
    /** The Temporal server's process, or null between two of them. */
    serverPid() {
      try {
        return JSON.parse(readFileSync(join(folder, '.colligate', 'server.json'), 'utf8')).pid;
      } catch {
        return null;
      }
    },
    /** What a run has written; null where it has not. */
    written(id) {
      const file = (name) => join(folder, 'reports', id, name);
      if (!existsSync(file('report.json'))) return null;
      return {
        markdown: readFileSync(file('report.md'), 'utf8'),
        report: JSON.parse(readFileSync(file('report.json'), 'utf8')),
      };
    },
    async close() {
      const late = setTimeout(() => {
        for (const child of running) child.kill('SIGKILL');
      }, STOP_LIMIT_MS);
      await Promise.all(
        [...running].map((child) => {
          const gone = once(child, 'close');
          child.kill('SIGTERM');
          return gone;
        }),
      );
      clearTimeout(late);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
