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
  UnknownClaimError,
  UnknownVersionError,
} from '../../client/run-errors';
import { MessageRefusedError, MessageUnansweredError } from '../../client/steering/message-errors';
import { ScheduleExistsError, ScheduleNotFoundError } from '../../client/schedules/schedule-errors';
import { ConfigError } from '../../config/config-error';
import { FolderError } from '../../platform/folder-error';
import { AskerBusyError, ParserBusyError } from '../../sources/formats/parsing/document-parser';
import { InvalidSourcesError } from '../../sources/invalid-sources-error';
import { InvalidSubtopicsError } from '../../sources/subtopics/invalid-subtopics-error';
import {
  CorruptArtifactError,
  StoreAwayError,
  StoreFormatError,
  StoreOpenError,
  StoreWriteError,
} from '../../stores/errors';
import { NoServerError } from '../../temporal/no-server-error';
import { PayloadKeyError } from '../../temporal/payloads/payload-key-error';
import { ServerGoneError } from '../../temporal/server-gone-error';
import { UnreachableServerError } from '../../temporal/unreachable-server-error';

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
  /** A sentence each; empty where the message says all. */
  problems: readonly string[];
}

/** Null for what nobody foresaw. */
export function knownFailure(error: unknown): KnownFailure | null {
  const found = CODES.find(([type]) => error instanceof type);
  if (found === undefined || !(error instanceof Error)) return null;
  const problems = error instanceof InvalidRequestError ? error.problems : [];
  return { code: found[1], message: problems.length === 1 ? (problems[0] ?? '') : error.message, problems };
}
