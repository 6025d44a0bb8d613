import { errorCode } from './error-code';

const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ELOOP: 'a link that leads to itself',
  ENAMETOOLONG: 'the path is too long',
  EISDIR: 'a folder where a file should be; name a file in it',
  EAGAIN: 'it gives nothing to read; name a file with text in it',
};

/** An error of the file system in a reader's words; anything else is thrown on. */
export function systemErrorText(error: unknown): string {
  const code = errorCode(error);
  if (code === null || !/^E[A-Z0-9]+$/.test(code)) throw error;
  return TEXTS[code] ?? `cannot be read (${code})`;
}
