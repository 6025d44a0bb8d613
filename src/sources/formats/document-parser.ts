import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../lib/errors';
import { append } from '../../lib/iterables';
import { DOCUMENT_FORMAT_NAMES, DOCUMENT_FORMATS, type DocumentFormat } from './document-formats';
import type { JoinedDocuments } from './parsed-document';
import type { ParserResults, ParserTask } from './parser-tasks';

export interface ParseClient {
  id: string;
  /** Aborts when the client disconnects, which ends its tasks. */
  signal: AbortSignal;
}

export interface TaskOptions {
  /** Null for this process's own work, which waits without a limit. */
  asker?: ParseClient | null;
  /** True for later parts of accepted work, which are not rejected. */
  isBegun?: boolean;
}

export interface DocumentParser {
  /** `failed` ends a sentence. Rejects with `ParserBusyError`, or with the signal's reason. */
  run<Task extends ParserTask>(
    task: Task,
    options?: TaskOptions,
  ): Promise<{ result: ParserResults[Task['what']] } | { failed: string }>;
  parse(format: DocumentFormat, bytes: Uint8Array): Promise<JoinedDocuments>;
  close(): Promise<void>;
}

export interface ParseLimits {
  ms: number;
  partMs: number;
  /** Resident memory of the parser process. */
  memoryMb: number;
  /** Maximum characters of all texts in one result. */
  chars: number;
}

const PARSE_LIMITS: ParseLimits = {
  ms: 120_000,
  /** A page usually takes milliseconds. */
  partMs: 20_000,
  /** Small files can inflate. */
  memoryMb: 1_024,
  /** Above the 64 MB file limit; YAML aliases and BibTeX constants can multiply text. */
  chars: 100_000_000,
};

/** For texts, lists and records, which have no parts. */
const TEXT_MS = 20_000;
/** A report with a thousand pages of sources takes half of it. */
const VERIFY_MS = 60_000;

/** Each takes up to 1 GB. */
const MAX_PROCESSES = 2;
/** Maximum waiting tasks per client, and for all clients. */
const MAX_WAITING_PER_CLIENT = 8;
const MAX_WAITING = 24;
const IDLE_MS = 10_000;

export class ParserBusyError extends Error {
  override readonly name: string = 'ParserBusyError';
  constructor(
    message = 'Too many files and texts wait to be read at the moment. Try again in some seconds.',
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

export class AskerBusyError extends ParserBusyError {
  override readonly name = 'AskerBusyError';
  constructor() {
    super(
      `${MAX_WAITING_PER_CLIENT} files or texts of yours wait to be read already. Try again in some seconds.`,
    );
  }
}

interface WaitingTask {
  id: string | null;
  begin: () => void;
}

let shared: DocumentParser | undefined;

/** Processes start with the first task and end when idle. */
export function sharedParser(): DocumentParser {
  shared ??= createDocumentParser();
  return shared;
}

export function createDocumentParser(
  limits: Partial<ParseLimits> = {},
  { most = MAX_PROCESSES }: { most?: number } = {},
): DocumentParser {
  const allowed = { ...PARSE_LIMITS, ...limits };
  const idle: ParserProcess[] = [];
  const alive = new Set<ParserProcess>();
  const waiting: WaitingTask[] = [];
  const busy: (string | null)[] = [];
  let idleTimer: NodeJS.Timeout | undefined;

  const take = async ({ asker = null, isBegun = false }: TaskOptions): Promise<void> => {
    asker?.signal.throwIfAborted();
    const id = asker?.id ?? null;
    if (busy.length < most) return void busy.push(id);
    if (asker !== null && !isBegun) {
      if (waiting.filter((one) => one.id === id).length >= MAX_WAITING_PER_CLIENT) throw new AskerBusyError();
      if (waiting.filter((one) => one.id !== null).length >= MAX_WAITING) throw new ParserBusyError();
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(asker?.signal.reason as Error);
      };
      const one: WaitingTask = {
        id,
        begin() {
          asker?.signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      waiting.push(one);
      asker?.signal.addEventListener('abort', leave, { once: true });
    });
  };
  const giveBack = (id: string | null): void => {
    busy.splice(busy.indexOf(id), 1);
    // Clients without a running task come first.
    const next = waiting.find((one) => !busy.includes(one.id)) ?? waiting[0];
    if (next === undefined) return;
    waiting.splice(waiting.indexOf(next), 1);
    busy.push(next.id);
    next.begin();
  };
  const takeIdle = (): ParserProcess | undefined => {
    const parser = idle.pop();
    if (parser === undefined || parser.isHealthy()) return parser;
    alive.delete(parser);
    return takeIdle();
  };
  const close = async (): Promise<void> => {
    clearTimeout(idleTimer);
    idle.length = 0;
    await Promise.all([...alive].map((parser) => parser.end()));
    alive.clear();
  };
  const endIdle = (): void => {
    for (const parser of idle.splice(0)) {
      alive.delete(parser);
      void parser.end();
    }
  };
  const run: DocumentParser['run'] = async (task, options = {}) => {
    await take(options);
    try {
      clearTimeout(idleTimer);
      const parser = takeIdle() ?? (await startProcess(allowed, (options.asker ?? null) !== null));
      alive.add(parser);
      parser.keepsAlive(true);
      const ms = Math.min(allowed.ms, taskTimeout(task));
      try {
        const outcome = await parser.run(task, { ms, partMs: allowed.partMs }, options.asker?.signal);
        return 'why' in outcome ? { failed: failureMessage(outcome, task, { ...allowed, ms }) } : outcome;
      } finally {
        parser.keepsAlive(false);
        if (parser.isHealthy()) idle.push(parser);
        else {
          await parser.end();
          alive.delete(parser);
        }
        idleTimer = setTimeout(endIdle, IDLE_MS).unref();
      }
    } finally {
      giveBack(options.asker?.id ?? null);
    }
  };
  return {
    run,
    async parse(format, bytes) {
      const outcome = await run({ what: 'document', format, bytes });
      return 'failed' in outcome ? { ok: false, message: outcome.failed } : outcome.result;
    },
    close,
  };
}

/** Errors such as `spawn EAGAIN` or EMFILE are temporary, and not a fault of the file. */
async function startProcess(limits: ParseLimits, givesWay: boolean): Promise<ParserProcess> {
  try {
    return await startParserProcess(limits, givesWay);
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    throw new ParserBusyError(
      `The process that reads files cannot be started at the moment (${code}). Try again in some seconds.`,
      { cause: error },
    );
  }
}

function taskTimeout(task: ParserTask): number {
  if (task.what === 'verify') return VERIFY_MS;
  return taskFormat(task) === null ? TEXT_MS : Infinity;
}

function taskFormat(task: ParserTask): DocumentFormat | null {
  if (task.what === 'document') return task.format;
  const format = task.what === 'records' ? task.detected.format : null;
  return DOCUMENT_FORMAT_NAMES.find((name) => name === format) ?? null;
}

const TASK_NAMES = {
  document: 'document',
  records: 'file',
  references: 'list',
  verify: 'text',
  cited: 'text',
} as const;

function failureMessage({ why, part }: TaskFailure, task: ParserTask, limits: ParseLimits): string {
  const format = taskFormat(task);
  const { noun, partNoun } =
    format === null ? { noun: TASK_NAMES[task.what], partNoun: 'part' } : DOCUMENT_FORMATS[format];
  const [ms, partMs] = [limits.ms, limits.partMs].map((time) => (time / 1_000).toLocaleString('en'));
  switch (why) {
    case 'too-slow-a-part':
      return `${partNoun} ${part} of the ${noun} was not read within ${partMs} seconds; save it anew, or without that ${partNoun}`;
    case 'too-slow':
      return `the ${noun} was not read within ${ms} seconds; split it into parts, or save it anew`;
    case 'too-large':
      return `the ${noun} takes more memory than there is for one; split it into parts, or save it anew`;
    case 'too-many-chars':
      return `the ${noun} has more than ${limits.chars.toLocaleString('en')} characters as it is read; split it into parts`;
    case 'crashed':
      return `the ${noun} ended the program that reads it; save it anew from what it was made of`;
  }
}

export type ParserMessage =
  | { isReady: true }
  | { part: number }
  | { some: unknown[] }
  | { done: unknown; memoryBytes: number }
  /** Sent instead of a result larger than `ParseLimits.chars`. */
  | { tooManyChars: true };

/** `part` is 0 if unknown. */
interface TaskFailure {
  why: 'too-slow' | 'too-slow-a-part' | 'too-large' | 'too-many-chars' | 'crashed';
  part: number;
}

type TaskOutcome<Result> = { result: Result } | TaskFailure;

/** Runs one task at a time, and kills tasks that exceed time or memory. */
interface ParserProcess {
  run<Task extends ParserTask>(
    task: Task,
    limits: Pick<ParseLimits, 'ms' | 'partMs'>,
    signal?: AbortSignal,
  ): Promise<TaskOutcome<ParserResults[Task['what']]>>;
  /** False after exit, or if memory use remains high. */
  isHealthy(): boolean;
  keepsAlive(keeps: boolean): void;
  end(): Promise<void>;
}

const BYTES_A_MB = 1_048_576;

/** With `givesWay` the process runs at a lower priority. */
async function startParserProcess(
  { memoryMb, chars }: Pick<ParseLimits, 'memoryMb' | 'chars'>,
  givesWay = false,
): Promise<ParserProcess> {
  const memoryBytes = memoryMb * BYTES_A_MB;
  const child = forkParser([memoryBytes, process.pid, givesWay ? 1 : 0, chars].map(String), memoryMb);
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  let isHealthy = true;
  void gone.then(() => (isHealthy = false));
  const end = async (): Promise<void> => {
    isHealthy = false;
    // Otherwise the command may end while it waits here.
    child.ref();
    child.kill('SIGKILL');
    await gone;
  };
  await waitUntilReady(child);
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
    ): Promise<TaskOutcome<ParserResults[Task['what']]>> {
      signal?.throwIfAborted();
      const leave = (): void => void end();
      signal?.addEventListener('abort', leave);
      const outcome = await runTask(child, task, limits);
      signal?.removeEventListener('abort', leave);
      if ('why' in outcome) await end();
      else if (outcome.memoryBytes > memoryBytes / 2) isHealthy = false;
      signal?.throwIfAborted();
      if ('why' in outcome) return outcome;
      return { result: outcome.result as ParserResults[Task['what']] }; // the result of this task
    },
  };
}

function forkParser(args: readonly string[], heapMb: number): ChildProcess {
  const compiled = join(__dirname, 'parser-main.js');
  const built = existsSync(compiled);
  return fork(built ? compiled : join(__dirname, 'parser-main.ts'), args, {
    // TypeScript sources (tests, development) need this process's loader.
    execArgv: [`--max-old-space-size=${heapMb}`, ...(built ? [] : ['--import', 'tsx'])],
    // Parsers must not see secrets.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve());
    // Later errors cause an exit.
    child.on('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`The process that parses documents did not start (${signal ?? code}).`)),
    );
  });
}

interface TaskResult {
  result: unknown;
  memoryBytes: number;
}

function runTask(
  child: ChildProcess,
  task: ParserTask,
  { ms, partMs }: Pick<ParseLimits, 'ms' | 'partMs'>,
): Promise<TaskResult | TaskFailure> {
  return new Promise((resolve) => {
    const list: unknown[] = [];
    let part = 0;
    const settle = (outcome: TaskResult | TaskFailure): void => {
      clearTimeout(all);
      clearTimeout(one);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const all = setTimeout(() => settle({ why: 'too-slow', part: 0 }), ms);
    let one: NodeJS.Timeout | undefined;
    const onMessage = (message: ParserMessage): void => {
      if ('done' in message)
        return settle({
          result: list.length > 0 ? list : message.done,
          memoryBytes: message.memoryBytes,
        });
      if ('tooManyChars' in message) return settle({ why: 'too-many-chars', part: 0 });
      if ('some' in message) {
        append(list, message.some);
        setImmediate(() => child.send('next', () => undefined));
      }
      if (!('part' in message)) return;
      part = message.part;
      clearTimeout(one);
      one = setTimeout(() => settle({ why: 'too-slow-a-part', part }), partMs);
    };
    // The watchdog and a full heap end the process by a signal.
    const onExit = (_code: number | null, signal: string | null): void =>
      settle({ why: signal === 'SIGKILL' || signal === 'SIGABRT' ? 'too-large' : 'crashed', part });
    child.on('message', onMessage);
    child.on('exit', onExit);
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
    else child.send(task, () => undefined); // a dead process is reported by its exit
  });
}
