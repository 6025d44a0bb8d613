import { CommanderError } from 'commander';
import { HealthPortError } from '../../app/health/health-port-error';
import { WorkerFailedError } from '../../app/worker/worker-failed-error';
import { NoModelsError } from '../../app/worker/no-models-error';
import {
  InvalidRequestError,
  RunClosedError,
  RunContentGoneError,
  RunDiffersError,
  RunKindError,
  RunNotFoundError,
  RunNotRunningError,
  RunStillRunningError,
  RunWithoutAnswerError,
  RunWithoutReportError,
  UnknownVersionError,
} from '../../client/run-errors';
import { MessageRefusedError, MessageUnansweredError } from '../../client/steering/message-errors';
import { ScheduleExistsError, ScheduleNotFoundError } from '../../client/schedules/schedule-errors';
import { ConfigError } from '../../config/config-error';
import { PayloadKeyError } from '../../temporal/payloads/payload-key-error';
import { UnreachableServerError } from '../../temporal/unreachable-server-error';
import { InvalidSourcesError } from '../../sources/invalid-sources-error';
import { InvalidSubtopicsError } from '../../sources/subtopics/invalid-subtopics-error';
import { CorruptArtifactError } from '../../stores/errors/corrupt-artifact-error';
import { StoreDamagedError } from '../../stores/errors/store-damaged-error';
import { FolderError } from '../../platform/folder-error';
import { StoreFormatError } from '../../stores/errors/store-format-error';
import { StoreAwayError } from '../../stores/errors/store-away-error';
import { StoreOpenError } from '../../stores/errors/store-open-error';
import { StoreSetupError } from '../../stores/errors/store-setup-error';
import { StoreWriteError } from '../../stores/errors/store-write-error';
import { ServerBinaryError } from '../../temporal/server-binary-error';
import { ServerGoneError } from '../../temporal/server-gone-error';
import { ServerStartError } from '../../temporal/server-start-error';
import { EndpointError } from './endpoint-error';
import { ExitCode } from '../exit-code';
import { NoServerError } from '../../temporal/no-server-error';
import { OutputError } from './output-error';
import { COMMAND } from '../package-files';
import { safeBlock } from '../terminal/safe-text';
import { shortened } from './shortened';
import { isServerSilent } from './server-silence';
import { UsageError } from './usage-error';
import { runArgument } from '../results/run-name';

export interface CommandFailure {
  /** For programs that read the JSON document. */
  code: string;
  /** For people; empty where there is nothing to say. */
  message: string;
  exitCode: ExitCode;
}

/** Errors of the user's making, and what the shell is told of them. */
const KNOWN: readonly {
  type: abstract new (...given: never[]) => Error;
  code: string;
  exitCode: ExitCode;
}[] = [
  { type: UsageError, code: 'usage', exitCode: ExitCode.usage },
  { type: ConfigError, code: 'configuration', exitCode: ExitCode.usage },
  { type: InvalidRequestError, code: 'request', exitCode: ExitCode.usage },
  { type: InvalidSourcesError, code: 'sources', exitCode: ExitCode.usage },
  { type: InvalidSubtopicsError, code: 'subtopics', exitCode: ExitCode.usage },
  { type: StoreOpenError, code: 'store', exitCode: ExitCode.failed },
  { type: StoreSetupError, code: 'store', exitCode: ExitCode.failed },
  { type: StoreAwayError, code: 'store', exitCode: ExitCode.failed },
  { type: StoreWriteError, code: 'store', exitCode: ExitCode.failed },
  { type: StoreFormatError, code: 'store', exitCode: ExitCode.failed },
  { type: StoreDamagedError, code: 'store', exitCode: ExitCode.failed },
  { type: CorruptArtifactError, code: 'store', exitCode: ExitCode.failed },
  { type: FolderError, code: 'folder', exitCode: ExitCode.usage },
  { type: RunClosedError, code: 'run-closed', exitCode: ExitCode.usage },
  { type: RunDiffersError, code: 'run-differs', exitCode: ExitCode.usage },
  { type: RunNotFoundError, code: 'run-not-found', exitCode: ExitCode.usage },
  { type: RunNotRunningError, code: 'run-not-running', exitCode: ExitCode.usage },
  { type: RunWithoutReportError, code: 'usage', exitCode: ExitCode.usage },
  { type: RunKindError, code: 'run-kind', exitCode: ExitCode.usage },
  { type: UnknownVersionError, code: 'unknown-version', exitCode: ExitCode.usage },
  { type: RunWithoutAnswerError, code: 'no-answer', exitCode: ExitCode.failed },
  { type: MessageRefusedError, code: 'refused', exitCode: ExitCode.usage },
  { type: MessageUnansweredError, code: 'unanswered', exitCode: ExitCode.unreachable },
  { type: ScheduleNotFoundError, code: 'schedule-not-found', exitCode: ExitCode.usage },
  { type: ScheduleExistsError, code: 'schedule-exists', exitCode: ExitCode.usage },
  { type: RunContentGoneError, code: 'run-content-gone', exitCode: ExitCode.usage },
  { type: PayloadKeyError, code: 'encryption-key', exitCode: ExitCode.usage },
  { type: RunStillRunningError, code: 'run-still-running', exitCode: ExitCode.usage },
  { type: UnreachableServerError, code: 'server-unreachable', exitCode: ExitCode.unreachable },
  { type: ServerGoneError, code: 'server-unreachable', exitCode: ExitCode.unreachable },
  { type: EndpointError, code: 'endpoint', exitCode: ExitCode.unreachable },
  { type: WorkerFailedError, code: 'worker-failed', exitCode: ExitCode.failed },
  { type: HealthPortError, code: 'health-port', exitCode: ExitCode.usage },
  { type: NoModelsError, code: 'configuration', exitCode: ExitCode.usage },
  { type: OutputError, code: 'output', exitCode: ExitCode.failed },
  { type: NoServerError, code: 'server-unreachable', exitCode: ExitCode.unreachable },
  { type: ServerBinaryError, code: 'server-missing', exitCode: ExitCode.unreachable },
  { type: ServerStartError, code: 'server-start', exitCode: ExitCode.unreachable },
];

/** The one place where an error becomes a message and an exit code. */
export function describeFailure(error: unknown): CommandFailure {
  const failure = failureOf(error);
  return { ...failure, message: shortened(failure.message) };
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommanderError) return usageFailure(error);
  const match = KNOWN.find(({ type }) => error instanceof type);
  if (match !== undefined && error instanceof Error) {
    return { code: match.code, message: messageOf(error), exitCode: match.exitCode };
  }
  if (isServerSilent(error)) {
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
    return `Run "${runId}" has ended already; "${COMMAND} show ${runArgument(runId)}" prints what it left. Choose another --id, or run it anew with --again.`;
  }
  const problems = error instanceof UsageError || error instanceof InvalidRequestError ? error.problems : [];
  if (problems.length <= 1) return safeBlock(problems[0] ?? error.message);
  return [`${problems.length} problems:`, ...problems.map((problem) => `  ${safeBlock(problem)}`)].join('\n');
}
