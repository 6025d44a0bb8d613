import { locatedFile } from '../../platform/given-file';
import { readGivenText } from '../../platform/given-text';
import { RECORD_BOUNDS } from '../../sources/formats/record-bounds';
import type { CommandIo } from '../command-io';

/** A text out of a file, of standard input, or of what the shell hands over; or what is wrong, as a sentence. */
export async function givenText(
  flag: string,
  file: string,
  { cwd, stdin }: CommandIo,
): Promise<{ text: string } | { problem: string }> {
  const bounds = { ...RECORD_BOUNDS, orInherited: true, stdin };
  const given = await readGivenText(locatedFile(cwd, file), bounds);
  return given.ok ? given : { problem: fileProblem(`${flag} ${file}`, given) };
}

/** What is wrong with a file, as a sentence; `named` is what it was given as, and its name. */
export function fileProblem(named: string, { line, message }: { line?: number; message: string }): string {
  return `${named}${line === undefined ? '' : `, line ${line}`}: ${message}.`;
}
