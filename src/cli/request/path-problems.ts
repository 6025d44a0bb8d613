import { isAddress } from '../../sources/pages/told-address';
import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';

export async function pathProblems(
  paths: readonly string[],
  cwd: string,
  name = '--sources',
): Promise<string[]> {
  const problems = await Promise.all(
    paths.map(async (given) => {
      if (isAddress(given)) return [];
      if (given.trim() === '') return [`${name} has an empty path.`];
      try {
        await access(resolve(cwd, given), constants.R_OK);
        return [];
      } catch (error) {
        const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        return [`${name} ${given}: ${missing ? 'there is no such file or folder' : 'it cannot be read'}.`];
      }
    }),
  );
  return problems.flat();
}
