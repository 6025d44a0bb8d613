import type { ArtifactRef } from '../../contracts/run/artifact';
import type { SourceEntry } from '../../contracts/source/source';
import type { SourceSize } from '../../estimate/report-calls';
import { readListedSources } from '../../sources/listed-sources';
import type { ContentStore } from '../../stores/content-store';

/** The sizes of the sources of a stored list; null where it is not there. */
export async function sourceSizes(
  content: Pick<ContentStore, 'retrieve'>,
  manifestRef: ArtifactRef,
): Promise<SourceSize[] | null> {
  const entries = await readListedSources((ref) => content.retrieve(ref), manifestRef);
  return entries?.map(sizeOf) ?? null;
}

function sizeOf({
  id,
  contentChars,
  title,
  author = '',
  site = '',
  publishedAt = '',
  summaryRef,
}: SourceEntry): SourceSize {
  return {
    id,
    contentChars,
    nameChars: title.length + author.length + site.length + publishedAt.length,
    hasSummary: summaryRef !== null,
  };
}
