import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isAddress } from '../pages/told-address';
import { readSources } from '../read-sources';
import type { SourceFinder } from './source-finder';

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

/** The sources of files, folders and addresses, as the command line reads them: what lies there when they are read. */
export const files: SourceFinder<z.infer<typeof FilesSettings>> = {
  settings: FilesSettings,
  find: ({ paths }, { pages }) => readSources(paths, { pages }),
};
