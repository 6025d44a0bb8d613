import { diskReason } from '../../platform/disk-reason';
import { COMMAND } from '../package-files';

/** A finished report could not be written to files; it is kept in the store. */
export class OutputError extends Error {
  override readonly name = 'OutputError';

  constructor(folder: string, runId: string, cause: unknown) {
    super(
      `The report could not be written to ${folder}: ${diskReason(cause)}. It is safe in the store: ` +
        `"${COMMAND} show ${runId} > report.md" writes it elsewhere, and with --format json its evidence.`,
      { cause },
    );
  }
}
