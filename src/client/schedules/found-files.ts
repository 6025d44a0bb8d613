import { resolve } from 'node:path';
import type { FoundSources } from '../../contracts/schedule/scheduled-start';
import { findSources } from '../../sources/find-sources';
import { namedPages } from '../../sources/pages/named-pages';
import { isAddress } from '../../sources/pages/told-address';
import { citedAddress, isSigned } from '../../sources/pages/told-address';
import { noteSources } from '../../sources/noted-sources';
import { InvalidRequestError } from '../run-errors';

export const NOTHING_LOOKED_FOR = { sources: null, subtopics: null };

export function absolute(paths: readonly string[]): string[] {
  return paths.map((path) => (isAddress(path) ? path : resolve(path)));
}

/**
 * Files, folders and addresses as a schedule looks for them; files are looked for now, and no page is fetched. Throws
 * `InvalidSourcesError` as a run would be refused for them, and `InvalidRequestError` for what a schedule may not keep.
 */
export async function foundFiles({
  paths,
  skipInvalid = false,
}: {
  paths: readonly string[];
  skipInvalid?: boolean;
}): Promise<FoundSources & { settings: { paths: string[] } }> {
  const signed = paths.filter((path) => isAddress(path) && isSigned(path));
  if (signed.length > 0)
    throw new InvalidRequestError(
      signed.map(
        (path) =>
          `${citedAddress(path, path)} has a key in it, which the schedule would keep; name a file of links that has it`,
      ),
    );
  const sources = { finder: 'files', settings: { paths: absolute(paths) }, skipInvalid };
  const noted = noteSources({ skipInvalid });
  for await (const reading of findSources(sources, namedPages)) noted.note(reading);
  noted.warnings();
  return sources;
}
