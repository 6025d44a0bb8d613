import { NAME_SOME_SOURCES } from '../../sources/formats/source-formats';
import { InvalidSourcesError, PROBLEMS_IN_FULL } from '../../sources/invalid-sources-error';
import { namedPages } from '../../sources/pages/named-pages';
import { readSources } from '../../sources/read-sources';
import type { SourceProblem } from '../../sources/source-reading';

/**
 * Looks through the sources before a server is started for them, which may take minutes the first time; no page is fetched. Throws
 * `InvalidSourcesError` as their import would.
 */
export async function checkSources(
  paths: readonly string[],
  { cwd, skipInvalid }: { cwd: string; skipInvalid: boolean },
): Promise<void> {
  const problems: SourceProblem[] = [];
  let bad = 0;
  let good = 0;
  for await (const reading of readSources(paths, { cwd, pages: namedPages })) {
    if (reading.ok) {
      good += 1;
      continue;
    }
    bad += 1;
    if (problems.length < PROBLEMS_IN_FULL) problems.push(reading.problem);
  }
  if (good === 0) {
    throw new InvalidSourcesError(problems, bad, NAME_SOME_SOURCES);
  }
  if (bad > 0 && !skipInvalid) {
    throw new InvalidSourcesError(problems, bad, 'Correct them, or leave them out with --skip-invalid.');
  }
}
