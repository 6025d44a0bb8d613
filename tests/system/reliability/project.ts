import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Report } from '../../../src/contracts/report/report';
import { ServerRecord, serverFiles } from '../../../src/temporal/server-record';
import { newProjectFolder, spawnCommand, type SpawnedCommand } from '../../cli/command-line-under-test';
import { NOTES } from '../../support/kills/material';
import { openAll } from '../../support/kills/open-all';
import {
  startWatchedModel,
  type WatchedModel,
  type WatchedModelOptions,
} from '../../support/kills/watched-model';
import { until } from '../../support/until';

const LATENCY_MS = 100;
const STOP_LIMIT_MS = 30_000;

/** A fresh folder with the built command line's own server, and a model that is watched. */
export interface Project {
  model: WatchedModel;
  /** Resolves when so many calls have been made; rejects where the project is closed before. */
  untilAsked(calls: number): Promise<void>;
  command(...args: string[]): SpawnedCommand;
  /** A command that stays, when it is ready. */
  serve(name: 'dev' | 'server' | 'worker'): Promise<SpawnedCommand>;
  report(...flags: string[]): SpawnedCommand;
  /** Kills the folder's server, and waits for the one that takes its place. */
  killServer(): Promise<void>;
  /** What the report has written; null where it has not. */
  written(): { report: Report; markdown: string } | null;
  close(): Promise<void>;
}

export const RUN_ID = 'measured';

export function openProject(spoil?: WatchedModelOptions['spoil']): Promise<Project> {
  return openAll(async (atClose) => {
    const model = await startWatchedModel({ latencyMs: LATENCY_MS, spoil });
    atClose(() => model.close());
    const folder = await realpath(await newProjectFolder());
    atClose(() => rm(folder, { recursive: true, force: true }));
    const cacheDir = process.env['COLLIGATE_CACHE_DIR'];
    const env = {
      // Where the server's program is kept is no setting of whoever measures.
      ...(cacheDir !== undefined && { COLLIGATE_CACHE_DIR: cacheDir }),
      OPENAI_BASE_URL: model.baseUrl,
      COLLIGATE_MODEL_FAST: 'good',
      COLLIGATE_MODEL_STRONG: 'good',
      COLLIGATE_MAX_CONCURRENT_CALLS: '8',
      // So that a model which hangs is given up in the time of a measurement.
      COLLIGATE_MODEL_TIMEOUT_MS: '10000',
      COLLIGATE_MODEL_INACTIVITY_MS: '5000',
    };
    const started: SpawnedCommand[] = [];
    let isClosed = false;
    const command = (...args: string[]): SpawnedCommand => {
      if (isClosed) throw new Error('the project has been closed');
      const running = spawnCommand(args, { cwd: folder, env });
      started.push(running);
      return running;
    };
    atClose(async () => {
      isClosed = true;
      // A command ends what it has started.
      const ended = Promise.all(started.map((running) => running.ended));
      for (const { child } of started) child.kill('SIGTERM');
      await Promise.race([ended, delay(STOP_LIMIT_MS, null, { ref: false })]);
      await Promise.all(started.map((running) => running.kill()));
    });
    /** The Temporal server's process, or null between two of them. */
    const serverPid = (): number | null => {
      try {
        const { record } = serverFiles(join(folder, '.colligate'));
        return ServerRecord.parse(JSON.parse(readFileSync(record, 'utf8'))).pid;
      } catch {
        return null;
      }
    };
    return {
      model,
      command,
      async untilAsked(calls) {
        await until(
          async () => isClosed || model.calls.length >= calls,
          (isSo) => isSo,
        );
        if (isClosed) throw new Error('the run had ended before');
      },
      async serve(name) {
        const serving = command(name, '--json');
        await serving.said('{');
        return serving;
      },
      report: (...flags) =>
        command(
          ...['report', NOTES.question, '--sources', ...NOTES.paths, '--id', RUN_ID, '--json'],
          ...flags,
        ),
      async killServer() {
        const pid = serverPid();
        if (pid === null) return;
        process.kill(pid, 'SIGKILL');
        await until(
          async () => serverPid(),
          (next) => next !== null && next !== pid,
        );
      },
      written() {
        const read = (name: string): string => readFileSync(join(folder, 'reports', RUN_ID, name), 'utf8');
        if (!existsSync(join(folder, 'reports', RUN_ID, 'report.json'))) return null;
        return { markdown: read('report.md'), report: Report.parse(JSON.parse(read('report.json'))) };
      },
    };
  });
}

/** In the middle of pass 1 and of pass 2, for a run over the notes. */
const [EARLY, LATE] = [3, 12];

/** What is taken away in the middle of a run, and given back; `worker` is the process that does the work. */
export const OUTAGES = {
  async 'endpoint gone'({ model, untilAsked }, { awayMs }) {
    await untilAsked(LATE);
    await model.goAway();
    await delay(awayMs);
    await model.comeBack();
  },
  // As a full disk does it: the worker can write no byte to any file, and every write to the store fails.
  async 'store gone'({ untilAsked }, { worker, awayMs }) {
    await untilAsked(LATE);
    limitFiles(worker, '0');
    await delay(awayMs);
    limitFiles(worker, 'unlimited');
  },
  async 'server killed twice'({ untilAsked, killServer }) {
    for (const calls of [EARLY, LATE]) {
      await untilAsked(calls);
      await killServer();
    }
  },
} as const satisfies Record<
  string,
  (project: Project, given: { worker: SpawnedCommand; awayMs: number }) => Promise<void>
>;
export type Outage = keyof typeof OUTAGES;

/** The soft limit alone, so that it can be lifted again. */
function limitFiles({ pid }: SpawnedCommand, size: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:unlimited`]);
}
