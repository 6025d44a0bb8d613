import type { SourceCatalogue } from '../core/contracts/source';
import type { FurtherSourcesRequest } from '../core/further-sources';
import type { ActivityPorts } from './ports';

/** The sources whose summaries are nearest to the claims. */
export async function nearestSources(
  { content, threads }: ActivityPorts,
  catalogue: SourceCatalogue,
  about: Omit<FurtherSourcesRequest, 'sources'>,
  signal: AbortSignal,
): Promise<string[]> {
  const summaries = await content.retrieveBatch(catalogue.sources.map((source) => source.summaryRef));
  const sources = catalogue.sources.map(({ id, summaryRef }) => ({
    id,
    summary: summaries.get(summaryRef) ?? '',
  }));
  return threads.run('further-sources', { ...about, sources }, signal);
}
