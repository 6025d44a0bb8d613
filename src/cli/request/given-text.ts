import { readFile } from 'node:fs/promises';
import { errorCode } from '../../platform/error-code';

/** The name of standard input, where a text may be given. */
export const STANDARD_INPUT = '-';

/** A text out of a file, or of standard input; or what is wrong, as a sentence. */
export async function givenText(flag: string, file: string): Promise<{ text: string } | { problem: string }> {
  try {
    const bytes = file === STANDARD_INPUT ? await wholeInput() : await readFile(file);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trim() === '' ? { problem: `${flag} ${file}: there is no text in it.` } : { text };
  } catch (error) {
    return { problem: `${flag} ${file}: ${reasonOf(error)}.` };
  }
}

async function wholeInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'it is no text in UTF-8';
  const code = errorCode(error);
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EISDIR' ? 'it is a folder; name a file in it' : 'it cannot be read';
}
