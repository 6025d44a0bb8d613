import { errorCode } from '../../platform/error-code';
import { errorMessage } from '../../platform/error-message';
import { UsageError } from '../failures/usage-error';
import { writeWhole } from './run-files';

/** Writes a file that was named by a flag, at once. Throws `UsageError`. */
export async function writeChosenFile(flag: string, file: string, text: string): Promise<void> {
  try {
    await writeWhole(file, text);
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new UsageError([`${flag} ${file}: it could not be written (${reason}).`]);
  }
}
