import { CommanderError } from 'commander';
import {
  NoModelsError,
  ServerBinaryError,
  ServerGoneError,
  ServerStartError,
  StartError,
  UnreachableServerError,
  WorkerFailedError,
} from '../app/app-errors';
import { type FailureCode, knownFailure } from '../app/known-failures';
import { NoLocalModelError } from '../app/local-engine';
import { InvalidRequestError, RunClosedError } from '../client/client-errors';
import { diskErrorText, errorMessage, PortError } from '../lib/errors';
import { groupedDigits } from '../lib/strings';
import { COMMAND, ExitCode, quoteRunId, UsageError } from './command-context';
import { safeBlock, safeExcerpt } from './terminal';

// Errors as messages and exit codes.

/** A path can have this length. Longer words are shortened. */
const WORD_CHARS = 1_000;
const SHOWN_CHARS = 100;
const LINE_CHARS = 4_000;

/** Shortens words and lines, so that megabytes of input do not fill the terminal. */
export function shortened(text: string): string {
  return text
    .replace(/\S+/g, (word) =>
      word.length <= WORD_CHARS
        ? word
        : `${word.slice(0, SHOWN_CHARS)}… (${groupedDigits(word.length)} characters)`,
    )
    .replace(/.+/g, (line) =>
      line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS / 2)} … ${line.slice(-LINE_CHARS / 4)}`,
    );
}

/** gRPC codes DEADLINE_EXCEEDED and UNAVAILABLE. */
const NO_ANSWER_CODES: readonly unknown[] = [4, 14];

/** True if the error or a cause of it is an unreachable Temporal server. */
export function isServerUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The worker's connection reports a lost server only by this name.
  if (error.name === 'TransportError') return true;
  if (error instanceof ServerGoneError || error instanceof UnreachableServerError) return true;
  return ('code' in error && NO_ANSWER_CODES.includes(error.code)) || isServerUnreachable(error.cause);
}

export function failureReason(error: unknown): string {
  return isServerUnreachable(error)
    ? 'the Temporal server does not answer'
    : safeExcerpt(errorMessage(error), 200);
}

export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}

/** The files of a finished report could not be written. The report is in the store. */
export class OutputError extends Error {
  override readonly name = 'OutputError';

  constructor(folder: string, runId: string, cause: unknown) {
    super(
      `The report could not be written to ${folder}: ${diskErrorText(cause)}. It is safe in the store: ` +
        `"${COMMAND} show ${runId} > report.md" writes it elsewhere, and with --format json its evidence.`,
      { cause },
    );
  }
}

export interface CommandFailure {
  code: string;
  message: string;
  exitCode: ExitCode;
}

const EXIT_CODES: Readonly<Record<FailureCode, ExitCode>> = {
  usage: ExitCode.usage,
  configuration: ExitCode.usage,
  request: ExitCode.usage,
  sources: ExitCode.usage,
  subtopics: ExitCode.usage,
  store: ExitCode.failed,
  folder: ExitCode.usage,
  'run-closed': ExitCode.usage,
  'run-differs': ExitCode.usage,
  'run-not-found': ExitCode.usage,
  'run-not-running': ExitCode.usage,
  'run-kind': ExitCode.usage,
  'unknown-version': ExitCode.usage,
  'unknown-claim': ExitCode.usage,
  'no-answer': ExitCode.failed,
  refused: ExitCode.usage,
  unanswered: ExitCode.unreachable,
  'schedule-not-found': ExitCode.usage,
  'schedule-exists': ExitCode.usage,
  'run-content-gone': ExitCode.usage,
  'encryption-key': ExitCode.usage,
  'run-still-running': ExitCode.usage,
  'too-many': ExitCode.failed,
  busy: ExitCode.failed,
  'server-unreachable': ExitCode.unreachable,
};

const COMMAND_ERRORS: readonly {
  type: abstract new (...given: never[]) => Error;
  code: string;
  exitCode: ExitCode;
}[] = [
  { type: UsageError, code: 'usage', exitCode: ExitCode.usage },
  { type: EndpointError, code: 'endpoint', exitCode: ExitCode.unreachable },
  { type: WorkerFailedError, code: 'worker-failed', exitCode: ExitCode.failed },
  { type: PortError, code: 'port', exitCode: ExitCode.usage },
  { type: StartError, code: 'configuration', exitCode: ExitCode.usage },
  { type: NoLocalModelError, code: 'configuration', exitCode: ExitCode.usage },
  { type: NoModelsError, code: 'configuration', exitCode: ExitCode.usage },
  { type: OutputError, code: 'output', exitCode: ExitCode.failed },
  { type: ServerBinaryError, code: 'server-missing', exitCode: ExitCode.unreachable },
  { type: ServerStartError, code: 'server-start', exitCode: ExitCode.unreachable },
];

export function describeFailure(error: unknown): CommandFailure {
  const failure = failureOf(error);
  return { ...failure, message: shortened(failure.message) };
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommanderError) return usageFailure(error);
  const known = knownFailure(error);
  if (known !== null && error instanceof Error)
    return { code: known.code, message: messageOf(error), exitCode: EXIT_CODES[known.code] };
  const match = COMMAND_ERRORS.find(({ type }) => error instanceof type);
  if (match !== undefined && error instanceof Error)
    return { code: match.code, message: messageOf(error), exitCode: match.exitCode };
  if (isServerUnreachable(error)) {
    return {
      code: 'server-unreachable',
      message:
        'The Temporal server does not answer any more. The run is kept: ask again when the server is back.',
      exitCode: ExitCode.unreachable,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'unexpected',
    message: `${safeBlock(message)}\nThis should not have happened. COLLIGATE_LOG_LEVEL=debug shows where it did.`,
    exitCode: ExitCode.failed,
  };
}

function usageFailure(error: CommanderError): CommandFailure {
  const asked = error.exitCode === 0;
  return {
    code: 'usage',
    message: asked ? '' : safeBlock(error.message.replace(/^error: /, '')),
    exitCode: asked ? ExitCode.ok : ExitCode.usage,
  };
}

function messageOf(error: Error): string {
  if (error instanceof RunClosedError) {
    const { runId } = error;
    return `Run "${runId}" has ended already; "${COMMAND} show ${quoteRunId(runId)}" prints what it left. Choose another --id, or run it anew with --again.`;
  }
  const problems = error instanceof UsageError || error instanceof InvalidRequestError ? error.problems : [];
  if (problems.length <= 1) return safeBlock(problems[0] ?? error.message);
  return [`${problems.length} problems:`, ...problems.map((problem) => `  ${safeBlock(problem)}`)].join('\n');
}
