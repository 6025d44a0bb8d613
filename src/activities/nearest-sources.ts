import type { SourceCatalogue } from '../core/contracts/source';
import type { FurtherSourcesRequest } from '../core/further-sources';
import type { ActivityPorts } from './ports';

/** The sources whose summaries are nearest to the claims. */
export async function nearestSources(
  ports: ActivityPorts,
  catalogue: SourceCatalogue,
  about: Omit<FurtherSourcesRequest, 'sources'>,
  signal: AbortSignal,
): Promise<string[]> {
  const sources = await summariesOf(ports, catalogue);
  return ports.threads.run('further-sources', { ...about, sources }, signal);
}

/** The same, for each claim its own, `most` at most. */
export async function nearestToEach(
  ports: ActivityPorts,
  catalogue: SourceCatalogue,
  about: Omit<FurtherSourcesRequest, 'sources'> & { most: number },
  signal: AbortSignal,
): Promise<string[][]> {
  const sources = await summariesOf(ports, catalogue);
  return ports.threads.run('nearest-to-each', { ...about, sources }, signal);
}

async function summariesOf(
  { content }: ActivityPorts,
  catalogue: SourceCatalogue,
): Promise<{ id: string; summary: string }[]> {
  const summaries = await content.retrieveBatch(catalogue.sources.map((source) => source.summaryRef));
  return catalogue.sources.map(({ id, summaryRef }) => ({ id, summary: summaries.get(summaryRef) ?? '' }));
}
