import { resolve } from 'node:path';
import type { FoundSources } from '../../contracts/schedule/scheduled-start';
import { findSources } from '../../sources/finders/find-sources';
import { noteSources } from '../../sources/noted-sources';

/** Of a run that is about what was stored once. */
export const NOTHING_LOOKED_FOR = { sources: null, subtopics: null };

export function absolute(paths: readonly string[]): string[] {
  return paths.map((path) => resolve(path));
}

/** Files and folders as a schedule looks for them, looked for now: throws `InvalidSourcesError` as a run would be refused for them. */
export async function foundFiles({
  paths,
  skipInvalid = false,
}: {
  paths: readonly string[];
  skipInvalid?: boolean;
}): Promise<FoundSources & { settings: { paths: string[] } }> {
  const sources = { finder: 'files', settings: { paths: absolute(paths) }, skipInvalid };
  const noted = noteSources({ skipInvalid });
  const { signal } = new AbortController();
  for await (const reading of findSources(sources, { signal })) noted.note(reading);
  noted.warnings();
  return sources;
}
