import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentFormat } from '../document-formats';
import type { ParseLimits } from './parse-limits';
import type { JoinedDocuments } from './parsed-document';

export interface ToParser {
  format: DocumentFormat;
  bytes: Uint8Array;
}

export type FromParser =
  { isReady: true } | { part: number } | { parsed: JoinedDocuments; memoryBytes: number };

/** How a document ended the process that parsed it, and at which part of it; 0 where that is not known. */
export interface Ended {
  why: 'too-slow' | 'too-slow-a-part' | 'too-large' | 'crashed';
  part: number;
}

/** A process that parses one document at a time, and that a document which never ends or takes all memory does not outlive. */
export interface ParserProcess {
  parse(format: DocumentFormat, bytes: Uint8Array): Promise<JoinedDocuments | Ended>;
  /** Whether it may be given another document: it lives, and is not full of what the last one left. */
  isHealthy(): boolean;
  end(): Promise<void>;
}

const BYTES_A_MB = 1_048_576;

export async function startParserProcess(limits: ParseLimits): Promise<ParserProcess> {
  const memoryBytes = limits.memoryMb * BYTES_A_MB;
  const child = forked(memoryBytes, limits.memoryMb);
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
    end,
    async parse(format, bytes) {
      const outcome = await parseIn(child, { format, bytes }, limits);
      if ('why' in outcome) await end();
      else if (outcome.memoryBytes > memoryBytes / 2) isHealthy = false;
      return 'why' in outcome ? outcome : outcome.parsed;
    },
  };
}

function forked(memoryBytes: number, heapMb: number): ChildProcess {
  const compiled = join(__dirname, 'parser-main.js');
  const built = existsSync(compiled);
  return fork(
    built ? compiled : join(__dirname, 'parser-main.ts'),
    [String(memoryBytes), String(process.pid)],
    {
      // From TypeScript sources (tests, development) it needs the loader that this process has.
      execArgv: [`--max-old-space-size=${heapMb}`, ...(built ? [] : ['--import', 'tsx'])],
      // Nothing that a document can make it do has a key to tell.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  );
}

/** A process that does not begin is no document's doing. */
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

function parseIn(
  child: ChildProcess,
  task: ToParser,
  { ms, partMs }: ParseLimits,
): Promise<{ parsed: JoinedDocuments; memoryBytes: number } | Ended> {
  return new Promise((resolve) => {
    let part = 0;
    const settle = (outcome: { parsed: JoinedDocuments; memoryBytes: number } | Ended): void => {
      clearTimeout(all);
      clearTimeout(one);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const all = setTimeout(() => settle({ why: 'too-slow', part: 0 }), ms);
    let one: NodeJS.Timeout | undefined;
    const onMessage = (message: FromParser): void => {
      if ('parsed' in message) return settle(message);
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
    child.send(task, () => undefined); // that it is gone shows by its exit
  });
}
