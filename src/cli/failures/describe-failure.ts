import { CommanderError } from 'commander';
import { knownFailure, type FailureCode } from '../../app/failures/known-failures';
import { NoLocalModelError } from '../../app/endpoint/local-engine';
import { StartError } from '../../app/session/start-error';
import { WorkerFailedError } from '../../app/worker/worker-failed-error';
import { NoModelsError } from '../../app/worker/no-models-error';
import { InvalidRequestError, RunClosedError } from '../../client/run-errors';
import { PortError } from '../../platform/port-error';
import { ServerBinaryError } from '../../temporal/server-binary-error';
import { ServerStartError } from '../../temporal/server-start-error';
import { EndpointError } from './endpoint-error';
import { ExitCode } from '../exit-code';
import { OutputError } from './output-error';
import { COMMAND } from '../package-files';
import { safeBlock } from '../terminal/safe-text';
import { shortened } from './shortened';
import { isServerSilent } from './server-silence';
import { UsageError } from './usage-error';
import { runArgument } from '../results/run-name';

export interface CommandFailure {
  code: string;
  /** For people; empty where there is nothing to say. */
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

const OF_COMMANDS: readonly {
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

/** The one place where an error becomes a message and an exit code. */
export function describeFailure(error: unknown): CommandFailure {
  const failure = failureOf(error);
  return { ...failure, message: shortened(failure.message) };
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommanderError) return usageFailure(error);
  const known = knownFailure(error);
  if (known !== null && error instanceof Error)
    return { code: known.code, message: messageOf(error), exitCode: EXIT_CODES[known.code] };
  const match = OF_COMMANDS.find(({ type }) => error instanceof type);
  if (match !== undefined && error instanceof Error)
    return { code: match.code, message: messageOf(error), exitCode: match.exitCode };
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
