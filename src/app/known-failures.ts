import {
  InvalidRequestError,
  MessageRefusedError,
  MessageUnansweredError,
  PayloadKeyError,
  RunClosedError,
  RunContentGoneError,
  RunDiffersError,
  RunKindError,
  RunNotFoundError,
  RunNotRunningError,
  RunStillRunningError,
  RunWithoutAnswerError,
  RunWithoutReportError,
  ScheduleExistsError,
  ScheduleNotFoundError,
  UnknownClaimError,
  UnknownVersionError,
} from '../client/client-errors';
import { FolderError } from '../lib/errors';
import { AskerBusyError, ParserBusyError } from '../sources/formats/document-parser';
import { InvalidSourcesError, InvalidSubtopicsError } from '../sources/source-problems';
import {
  CorruptArtifactError,
  StoreAwayError,
  StoreFormatError,
  StoreOpenError,
  StoreWriteError,
} from '../stores/store-errors';
import { ConfigError, NoServerError, ServerGoneError, UnreachableServerError } from './app-errors';

// Maps errors to the failure codes of the HTTP API and the CLI.

const CODES = [
  [ConfigError, 'configuration'],
  [InvalidRequestError, 'request'],
  [InvalidSourcesError, 'sources'],
  [InvalidSubtopicsError, 'subtopics'],
  [StoreOpenError, 'store'],
  [StoreAwayError, 'store'],
  [StoreWriteError, 'store'],
  [StoreFormatError, 'store'],
  [CorruptArtifactError, 'store'],
  [FolderError, 'folder'],
  [RunClosedError, 'run-closed'],
  [RunDiffersError, 'run-differs'],
  [RunNotFoundError, 'run-not-found'],
  [RunNotRunningError, 'run-not-running'],
  [RunWithoutReportError, 'usage'],
  [RunKindError, 'run-kind'],
  [UnknownVersionError, 'unknown-version'],
  [UnknownClaimError, 'unknown-claim'],
  [RunWithoutAnswerError, 'no-answer'],
  [MessageRefusedError, 'refused'],
  [MessageUnansweredError, 'unanswered'],
  [ScheduleNotFoundError, 'schedule-not-found'],
  [ScheduleExistsError, 'schedule-exists'],
  [RunContentGoneError, 'run-content-gone'],
  [PayloadKeyError, 'encryption-key'],
  [AskerBusyError, 'too-many'],
  [ParserBusyError, 'busy'],
  [RunStillRunningError, 'run-still-running'],
  [UnreachableServerError, 'server-unreachable'],
  [ServerGoneError, 'server-unreachable'],
  [NoServerError, 'server-unreachable'],
] as const satisfies readonly (readonly [abstract new (...given: never[]) => Error, string])[];

export type FailureCode = (typeof CODES)[number][1];

export interface KnownFailure {
  code: FailureCode;
  message: string;
  problems: readonly string[];
}

/** Null for unexpected errors. */
export function knownFailure(error: unknown): KnownFailure | null {
  const found = CODES.find(([type]) => error instanceof type);
  if (found === undefined || !(error instanceof Error)) return null;
  const problems = error instanceof InvalidRequestError ? error.problems : [];
  return { code: found[1], message: problems.length === 1 ? (problems[0] ?? '') : error.message, problems };
}
