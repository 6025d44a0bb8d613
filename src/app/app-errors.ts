export interface ConfigProblem {
  /** The name under which the value was given: a flag, an environment variable, or a key of the file. */
  name: string;
  from: 'flag' | 'environment' | 'file' | 'default';
  /** The value as text; a secret shows as `(hidden)`. */
  value: string;
  allowed: string;
}

/** Everything that is wrong with the configuration, at once. The command line answers it with exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    const lines = problems.map(
      (problem) => `  ${problem.name} (${problem.from}) is ${problem.value}; allowed: ${problem.allowed}`,
    );
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${lines.join('\n')}`,
    );
  }
}

/** No server is named or runs, and nobody is to start one. The command line answers it with exit code 3. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}

/** A server that was there does not answer any more. The command line answers it with exit code 3. */
export class ServerGoneError extends Error {
  override readonly name = 'ServerGoneError';

  constructor(
    readonly address: string,
    options: { cause?: unknown; why?: string } = {},
  ) {
    const { cause, why } = options;
    super(
      why === undefined
        ? `The Temporal server at ${address} is gone.`
        : `The Temporal server at ${address} is gone: ${why}.`,
      { cause },
    );
  }
}

/** No Temporal server answers where one is expected. The command line answers it with exit code 3. */
export class UnreachableServerError extends Error {
  override readonly name = 'UnreachableServerError';

  constructor(
    readonly address: string,
    options: { cause: unknown },
  ) {
    super(
      `No Temporal server answers at ${address} (${reason(options.cause)}). Start it, or set TEMPORAL_ADDRESS to one that ` +
        'runs, or leave TEMPORAL_ADDRESS unset to let Colligate start a server of its own.',
      options,
    );
  }
}

/** gRPC wraps the useful sentence in an error that only says that connecting failed. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}

export interface BinaryAttempt {
  place: string;
  problem: string;
}

/** No Temporal server program could be found or got. The command line answers it with exit code 3. */
export class ServerBinaryError extends Error {
  override readonly name = 'ServerBinaryError';

  constructor(readonly attempts: readonly BinaryAttempt[]) {
    super(
      [
        'There is no Temporal server to run on. What was tried:',
        ...attempts.map(({ place, problem }) => `  ${place}: ${problem}`),
        'Any one of these mends it:',
        '  install the Temporal command line so that `temporal` is on PATH (https://docs.temporal.io/cli),',
        '  set TEMPORAL_ADDRESS=host:port to a server that runs,',
        '  connect to the internet once, so that the server can be downloaded,',
        '  or install Go (https://go.dev/dl), so that the server can be built.',
      ].join('\n'),
    );
  }
}

/** The server's program ended or stayed silent instead of becoming ready. The command line answers it with exit code 3. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';

  constructor(
    readonly happened: string,
    readonly logFile: string,
    readonly lastLines: readonly string[],
  ) {
    super(
      [
        `The Temporal server ${happened}. The end of its log, ${logFile}:`,
        ...(lastLines.length === 0 ? ['  (empty)'] : lastLines.map((line) => `  ${line}`)),
      ].join('\n'),
    );
  }
}

/** The process lacks something that its first request or run needs. The command line answers it with exit code 2. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export class NoModelsError extends Error {
  override readonly name = 'NoModelsError';
  constructor() {
    super(
      'This worker is to ask models alone (worker.roles), and no endpoint with models is configured. ' +
        'Set OPENAI_BASE_URL, COLLIGATE_MODEL_FAST and COLLIGATE_MODEL_STRONG, or give it another role.',
    );
  }
}

/**
 * The SDK's worker has failed at something of its own, and no server was away: nothing in the process can be relied on any more.
 * It ends, so that whatever supervises it starts another, where its runs go on.
 */
export class WorkerFailedError extends Error {
  override readonly name = 'WorkerFailedError';
  constructor(reason: string, cause: unknown) {
    super(
      `The worker has failed, and ends, so that whatever supervises it starts another: ${reason}. Its runs are kept, and go on at the next worker.`,
      { cause },
    );
  }
}

export class NoWorkerError extends Error {
  override readonly name = 'NoWorkerError';

  constructor(
    readonly lacking: Work,
    readonly queues: readonly string[],
  ) {
    super(`No worker polls ${queues.join(' and ')}.`);
  }
}

/** What a worker does for runs: all of them, what reads and computes, or the calls to models alone. */
export type Work = 'runs' | 'computing' | 'model-calls';
