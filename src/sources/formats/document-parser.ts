import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../lib/errors';
import { append } from '../../lib/iterables';
import { DOCUMENT_FORMAT_NAMES, DOCUMENT_FORMATS, type DocumentFormat } from './document-formats';
import { type JoinedDocuments, PARSE_LIMITS, type ParseLimits, TEXT_MS, VERIFY_MS } from './parsed-document';
import type { ParserResults, ParserTask } from './parser-tasks';

/** Somebody else for whom something is parsed, such as a client of the HTTP face. */
export interface Asker {
  id: string;
  /** Aborts when they are gone: what is parsed for them ends. */
  signal: AbortSignal;
}

export interface TaskOptions {
  /** Null for this process's own work, which waits as long as it takes. */
  asker?: Asker | null;
  /** True where an earlier part of the same work was taken: the rest of it is not refused. */
  isBegun?: boolean;
}

/** Parses what others give in processes of their own; the bytes are all that they are given. */
export interface DocumentParser {
  /**
   * What comes of the task, or why nothing does, as the rest of a sentence that begins with its name. Rejects with `ParserBusyError`
   * where too much waits for the asker or for all or no process can be started, and with the reason of the asker's signal when that aborts.
   */
  run<Task extends ParserTask>(
    task: Task,
    options?: TaskOptions,
  ): Promise<{ result: ParserResults[Task['what']] } | { failed: string }>;
  parse(format: DocumentFormat, bytes: Uint8Array): Promise<JoinedDocuments>;
  close(): Promise<void>;
}

/** Processes of this one that parse, whoever asks. Each takes at most a gigabyte. */
const MOST_PROCESSES = 2;
/** Tasks of others that wait: of one asker, and of all. */
const MOST_WAITING_EACH = 8;
const MOST_WAITING = 24;
const IDLE_MS = 10_000;

/** Too much waits already, of all askers together, or no process can be started. */
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
    super(`${MOST_WAITING_EACH} files or texts of yours wait to be read already. Try again in some seconds.`);
  }
}

interface Waiting {
  id: string | null;
  begin: () => void;
}

let shared: DocumentParser | undefined;

/** The parser of this process. Its processes start with the first task, and end when they are idle, or with this one. */
export function sharedParser(): DocumentParser {
  shared ??= createDocumentParser();
  return shared;
}

/** Processes start with the first documents, at most `most` of them, and are used again as long as they are healthy. */
export function createDocumentParser(
  limits: Partial<ParseLimits> = {},
  { most = MOST_PROCESSES }: { most?: number } = {},
): DocumentParser {
  const allowed = { ...PARSE_LIMITS, ...limits };
  const idle: ParserProcess[] = [];
  const alive = new Set<ParserProcess>();
  const waiting: Waiting[] = [];
  /** For whom the processes work at the moment. */
  const busy: (string | null)[] = [];
  let idleTimer: NodeJS.Timeout | undefined;

  const take = async ({ asker = null, isBegun = false }: TaskOptions): Promise<void> => {
    asker?.signal.throwIfAborted();
    const id = asker?.id ?? null;
    if (busy.length < most) return void busy.push(id);
    if (asker !== null && !isBegun) {
      if (waiting.filter((one) => one.id === id).length >= MOST_WAITING_EACH) throw new AskerBusyError();
      if (waiting.filter((one) => one.id !== null).length >= MOST_WAITING) throw new ParserBusyError();
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(asker?.signal.reason as Error);
      };
      const one: Waiting = {
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
    // Whoever has no process comes before whoever has one.
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
      const parser = takeIdle() ?? (await started(allowed, (options.asker ?? null) !== null));
      alive.add(parser);
      parser.keepsAlive(true);
      const ms = Math.min(allowed.ms, longestOf(task));
      try {
        const outcome = await parser.run(task, { ms, partMs: allowed.partMs }, options.asker?.signal);
        return 'why' in outcome ? { failed: whyEnded(outcome, task, { ...allowed, ms }) } : outcome;
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

/** What the system refuses, such as `spawn EAGAIN` or EMFILE, is no fault of the file, and passes. */
async function started(limits: ParseLimits, givesWay: boolean): Promise<ParserProcess> {
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

function longestOf(task: ParserTask): number {
  if (task.what === 'verify') return VERIFY_MS;
  return formatOf(task) === null ? TEXT_MS : Infinity;
}

/** Null for what has no parts. */
function formatOf(task: ParserTask): DocumentFormat | null {
  if (task.what === 'document') return task.format;
  const format = task.what === 'records' ? task.told.format : null;
  return DOCUMENT_FORMAT_NAMES.find((name) => name === format) ?? null;
}

const TEXTS = {
  document: 'document',
  records: 'file',
  references: 'list',
  verify: 'text',
  cited: 'text',
} as const;

function whyEnded({ why, part }: Ended, task: ParserTask, limits: ParseLimits): string {
  const format = formatOf(task);
  const { called, part: partName } =
    format === null ? { called: TEXTS[task.what], part: 'part' } : DOCUMENT_FORMATS[format];
  const [ms, partMs] = [limits.ms, limits.partMs].map((time) => (time / 1_000).toLocaleString('en'));
  switch (why) {
    case 'too-slow-a-part':
      return `${partName} ${part} of the ${called} was not read within ${partMs} seconds; save it anew, or without that ${partName}`;
    case 'too-slow':
      return `the ${called} was not read within ${ms} seconds; split it into parts, or save it anew`;
    case 'too-large':
      return `the ${called} takes more memory than there is for one; split it into parts, or save it anew`;
    case 'too-many-chars':
      return `the ${called} has more than ${limits.chars.toLocaleString('en')} characters as it is read; split it into parts`;
    case 'crashed':
      return `the ${called} ended the program that reads it; save it anew from what it was made of`;
  }
}

export type FromParser =
  | { isReady: true }
  | { part: number }
  /** A part of a long list; the rest of it waits for `next`, and `done` is null behind it. */
  | { some: unknown[] }
  | { done: unknown; memoryBytes: number }
  /** Instead of a result that is larger than `ParseLimits.chars`. */
  | { tooManyChars: true };

/** How a task ended the process that carried it out, and at which part of a document; 0 where that is not known. */
interface Ended {
  why: 'too-slow' | 'too-slow-a-part' | 'too-large' | 'too-many-chars' | 'crashed';
  part: number;
}

type Outcome<Result> = { result: Result } | Ended;

/** A process that parses one thing at a time, and that one which never ends or takes all memory does not outlive. */
interface ParserProcess {
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
async function startParserProcess(
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
