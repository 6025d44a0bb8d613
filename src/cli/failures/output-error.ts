import { errorMessage } from '../../platform/error-message';
import { errorCode } from '../../platform/error-code';
import { COMMAND } from '../package-files';

/** What people are told of the system's codes; others are named as they are. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'writing there is not allowed',
  EROFS: 'the file system is read-only',
};

/** Why something could not be written, as the end of a sentence. */
export function writeFailure(cause: unknown): string {
  return REASONS[String(errorCode(cause))] ?? errorMessage(cause);
}

/** A finished report could not be written to files; it is kept in the store. */
export class OutputError extends Error {
  override readonly name = 'OutputError';

  constructor(folder: string, runId: string, cause: unknown) {
    super(
      `The report could not be written to ${folder}: ${writeFailure(cause)}. It is safe in the store: ` +
        `"${COMMAND} show ${runId} > report.md" writes it elsewhere, and with --format json its evidence.`,
      { cause },
    );
  }
}
