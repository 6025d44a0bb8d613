import type { FurtherSourcesRequest } from '../../../core/passages/further-sources';
import type { Catalogue } from '../gather/catalogue';
import { readTexts } from '../../shared/read-texts';
import type { ActivityPorts } from '../../shared/ports';

/** So many summaries are held at once. */
const SUMMARIES_AT_ONCE = 5_000;

type About = Omit<FurtherSourcesRequest, 'ids' | 'holders'>;

/** The sources whose summaries are nearest to the claims. */
export async function nearestSources(
  ports: ActivityPorts,
  catalogue: Catalogue,
  about: About,
  signal: AbortSignal,
): Promise<string[]> {
  const holders = await holdersOf(ports, catalogue, about.claims, signal);
  return ports.threads.run('further-sources', { ...about, ids: catalogue.ids, holders }, signal);
}

/** The same, for each claim its own, `most` at most. */
export async function nearestToEach(
  ports: ActivityPorts,
  catalogue: Catalogue,
  about: About & { most: number },
  signal: AbortSignal,
): Promise<string[][]> {
  const holders = await holdersOf(ports, catalogue, about.claims, signal);
  return ports.threads.run('nearest-to-each', { ...about, ids: catalogue.ids, holders }, signal);
}

/** For each of the claims' terms the places of the sources whose summary holds it. */
async function holdersOf(
  { content, threads }: ActivityPorts,
  catalogue: Catalogue,
  claims: readonly string[],
  signal: AbortSignal,
): Promise<number[][]> {
  const holders: number[][] = [];
  for (let first = 0; first < catalogue.ids.length; first += SUMMARIES_AT_ONCE) {
    const found = await threads.takeTurn(async () => {
      const sources = await catalogue.between(first, first + SUMMARIES_AT_ONCE);
      const texts = await readTexts(
        content,
        sources.map(({ summaryRef }) => summaryRef),
      );
      const summaries = sources.map(({ summaryRef }) => texts.get(summaryRef) ?? '');
      return threads.run('claim-holders', { claims, summaries, first }, signal);
    }, signal);
    found.forEach((places, term) => {
      const known = (holders[term] ??= []);
      for (const place of places) known.push(place);
    });
  }
  return holders;
}
