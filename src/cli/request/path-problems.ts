import { access, constants } from 'node:fs/promises';

/** What is wrong with the paths of --sources, as sentences for the user. */
export async function pathProblems(paths: readonly string[]): Promise<string[]> {
  const problems = await Promise.all(
    paths.map(async (given) => {
      if (given.trim() === '') return ['--sources has an empty path.'];
      try {
        await access(given, constants.R_OK);
        return [];
      } catch (error) {
        const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        return [`--sources ${given}: ${missing ? 'there is no such file or folder' : 'it cannot be read'}.`];
      }
    }),
  );
  return problems.flat();
}
