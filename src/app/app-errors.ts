export interface ConfigProblem {
  name: string;
  from: 'flag' | 'environment' | 'file' | 'default';
  value: string;
  allowed: string;
}

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

/** No server is configured or running, and the command may not start one. CLI exit code 3. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}

/** A server stopped answering. CLI exit code 3. */
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

/** No server answers at the configured address. CLI exit code 3. */
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

/** The cause has the useful message. The gRPC error only reports that the connection failed. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}

export interface BinaryAttempt {
  place: string;
  problem: string;
}

/** The Temporal server binary was not found and could not be downloaded or built. CLI exit code 3. */
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

/** The server process ended or did not become ready. CLI exit code 3. */
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

/** The process lacks a resource that its first request or run needs. CLI exit code 2. */
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

/** The SDK's worker failed unexpectedly. The process state is unreliable, so the process ends for its supervisor to restart. */
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
    readonly lacking: WorkKind,
    readonly queues: readonly string[],
  ) {
    super(`No worker polls ${queues.join(' and ')}.`);
  }
}

/** The work of a worker: all of it, reading and computing, or model calls only. */
export type WorkKind = 'runs' | 'computing' | 'model-calls';
