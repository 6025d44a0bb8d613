import type { FurtherSourcesRequest } from '../core/further-sources';
import type { Catalogue } from './catalogue';
import type { ActivityPorts } from './ports';

/** So many summaries are held at once. */
const SUMMARIES_AT_ONCE = 5_000;

/** The sources whose summaries are nearest to the claims. */
export async function nearestSources(
  { content, threads }: ActivityPorts,
  catalogue: Catalogue,
  about: Omit<FurtherSourcesRequest, 'ids' | 'holders'>,
  signal: AbortSignal,
): Promise<string[]> {
  const { claims } = about;
  const { ids } = catalogue;
  const holders: number[][] = [];
  for (let first = 0; first < ids.length; first += SUMMARIES_AT_ONCE) {
    const found = await threads.takeTurn(async () => {
      const sources = await catalogue.between(first, first + SUMMARIES_AT_ONCE);
      const texts = await content.retrieveBatch(sources.map(({ summaryRef }) => summaryRef));
      const summaries = sources.map(({ summaryRef }) => texts.get(summaryRef) ?? '');
      return threads.run('claim-holders', { claims, summaries, first }, signal);
    }, signal);
    found.forEach((places, term) => {
      const known = (holders[term] ??= []);
      for (const place of places) known.push(place);
    });
  }
  return threads.run('further-sources', { ...about, ids, holders }, signal);
}
