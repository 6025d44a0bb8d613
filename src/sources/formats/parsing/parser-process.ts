import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../../core/values/append';
import type { ParseLimits } from './parse-limits';
import type { ParserResults, ParserTask } from './parser-tasks';

export type FromParser =
  | { isReady: true }
  | { part: number }
  /** A part of a long list; the rest of it waits for `next`, and `done` is null behind it. */
  | { some: unknown[] }
  | { done: unknown; memoryBytes: number }
  /** Instead of a result that is larger than `ParseLimits.chars`. */
  | { tooManyChars: true };

/** How a task ended the process that carried it out, and at which part of a document; 0 where that is not known. */
export interface Ended {
  why: 'too-slow' | 'too-slow-a-part' | 'too-large' | 'too-many-chars' | 'crashed';
  part: number;
}

type Outcome<Result> = { result: Result } | Ended;

/** A process that parses one thing at a time, and that one which never ends or takes all memory does not outlive. */
export interface ParserProcess {
  /** Ends the process, and rejects with the signal's reason, when the signal aborts. */
  run<Task extends ParserTask>(
    task: Task,
    limits: Pick<ParseLimits, 'ms' | 'partMs'>,
    signal?: AbortSignal,
  ): Promise<Outcome<ParserResults[Task['what']]>>;
  /** Whether it may be given another task: it lives, and is not full of what the last one left. */
  isHealthy(): boolean;
  /** Whether this process goes on as long as that one does. */
  keepsAlive(keeps: boolean): void;
  end(): Promise<void>;
}

const BYTES_A_MB = 1_048_576;

/** Where it `givesWay`, whoever starts it serves others before it has a processor. */
export async function startParserProcess(
  { memoryMb, chars }: Pick<ParseLimits, 'memoryMb' | 'chars'>,
  givesWay = false,
): Promise<ParserProcess> {
  const memoryBytes = memoryMb * BYTES_A_MB;
  const child = forked([memoryBytes, process.pid, givesWay ? 1 : 0, chars].map(String), memoryMb);
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  let isHealthy = true;
  void gone.then(() => (isHealthy = false));
  const end = async (): Promise<void> => {
    isHealthy = false;
    child.kill('SIGKILL');
    await gone;
  };
  await readiness(child);
  return {
    isHealthy: () => isHealthy,
    keepsAlive(keeps) {
      for (const handle of [child, child.channel])
        if (keeps) handle?.ref();
        else handle?.unref();
    },
    end,
    async run<Task extends ParserTask>(
      task: Task,
      limits: Pick<ParseLimits, 'ms' | 'partMs'>,
      signal?: AbortSignal,
    ): Promise<Outcome<ParserResults[Task['what']]>> {
      signal?.throwIfAborted();
      const leave = (): void => void end();
      signal?.addEventListener('abort', leave);
      const outcome = await runIn(child, task, limits);
      signal?.removeEventListener('abort', leave);
      if ('why' in outcome) await end();
      else if (outcome.memoryBytes > memoryBytes / 2) isHealthy = false;
      signal?.throwIfAborted();
      if ('why' in outcome) return outcome;
      return { result: outcome.result as ParserResults[Task['what']] }; // of this very task
    },
  };
}

function forked(args: readonly string[], heapMb: number): ChildProcess {
  const compiled = join(__dirname, 'parser-main.js');
  const built = existsSync(compiled);
  return fork(built ? compiled : join(__dirname, 'parser-main.ts'), args, {
    // From TypeScript sources (tests, development) it needs the loader that this process has.
    execArgv: [`--max-old-space-size=${heapMb}`, ...(built ? [] : ['--import', 'tsx'])],
    // Nothing that a document can make it do has a key to tell.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve());
    // What goes wrong later shows by its exit.
    child.on('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`The process that parses documents did not start (${signal ?? code}).`)),
    );
  });
}

interface Done {
  result: unknown;
  memoryBytes: number;
}

function runIn(
  child: ChildProcess,
  task: ParserTask,
  { ms, partMs }: Pick<ParseLimits, 'ms' | 'partMs'>,
): Promise<Done | Ended> {
  return new Promise((resolve) => {
    const list: unknown[] = [];
    let part = 0;
    const settle = (outcome: Done | Ended): void => {
      clearTimeout(all);
      clearTimeout(one);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const all = setTimeout(() => settle({ why: 'too-slow', part: 0 }), ms);
    let one: NodeJS.Timeout | undefined;
    const onMessage = (message: FromParser): void => {
      if ('done' in message)
        return settle({
          result: list.length > 0 ? list : message.done,
          memoryBytes: message.memoryBytes,
        });
      if ('tooManyChars' in message) return settle({ why: 'too-many-chars', part: 0 });
      if ('some' in message) {
        append(list, message.some);
        // Others have their turn between two parts.
        setImmediate(() => child.send('next', () => undefined));
      }
      if (!('part' in message)) return;
      part = message.part;
      clearTimeout(one);
      one = setTimeout(() => settle({ why: 'too-slow-a-part', part }), partMs);
    };
    // Its watchdog, and a heap that is full, end it by a signal.
    const onExit = (_code: number | null, signal: string | null): void =>
      settle({ why: signal === 'SIGKILL' || signal === 'SIGABRT' ? 'too-large' : 'crashed', part });
    child.on('message', onMessage);
    child.on('exit', onExit);
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
    else child.send(task, () => undefined); // that it is gone shows by its exit
  });
}
