const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ELOOP: 'a link that leads to itself',
  ENAMETOOLONG: 'the path is too long',
};

/** An error of the file system in a reader's words; anything else is thrown on. */
export function systemErrorText(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
  if (code === null || !/^E[A-Z0-9]+$/.test(code)) throw error;
  return TEXTS[code] ?? `cannot be read (${code})`;
}
