import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { shapeProblems } from '../core/shapes/shape-problems';
import { toldValue } from '../core/values/told-value';
import type { PageReader } from './pages/page-reader';
import { isAddress } from './pages/told-address';
import { readSources } from './read-sources';
import type { SourceReading } from './source-reading';

/** Files and folders, by paths that hold wherever the worker was started, and addresses. */
const FilesSettings = z.object({
  paths: z
    .array(
      z
        .string()
        .refine((path) => isAddress(path) || isAbsolute(path), { error: 'a path has to be absolute' }),
    )
    .min(1),
});

export class UnknownFinderError extends Error {
  override readonly name = 'UnknownFinderError';
}

/** The sources of a schedule when it fires. Throws `UnknownFinderError` before anything is read. */
export function findSources(
  { finder, settings }: { finder: string; settings: unknown },
  pages?: PageReader,
): AsyncIterable<SourceReading> {
  if (finder !== 'files')
    throw new UnknownFinderError(
      `There is no finder of sources named ${toldValue(finder)}; there is: files.`,
    );
  const { data } = FilesSettings.safeParse(settings);
  if (data !== undefined) return readSources(data.paths, { pages });
  const problems = shapeProblems([['settings', FilesSettings, settings]]);
  throw new UnknownFinderError(`What the finder files is told cannot be used: ${problems.join('; ')}.`);
}
