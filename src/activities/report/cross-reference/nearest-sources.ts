import type { FurtherSourcesRequest, SummaryPart } from '../../../core/passages/further-sources';
import type { Catalogue } from '../gather/catalogue';
import { readTexts } from '../../shared/read-texts';
import type { ActivityPorts } from '../../shared/ports';

/** So many summaries are held at once. */
const SUMMARIES_AT_ONCE = 5_000;

type About = Omit<FurtherSourcesRequest, 'ids' | 'last' | 'holders'>;

export function nearestSources(
  ports: ActivityPorts,
  catalogue: Catalogue,
  about: About,
  signal: AbortSignal,
): Promise<string[]> {
  return withHolders(ports, catalogue, about.statements, signal, (held) =>
    ports.threads.run('further-sources', { ...about, ids: catalogue.ids, ...held }, signal),
  );
}

/** The same, for each statement its own, `most` at most. */
export function nearestToEach(
  ports: ActivityPorts,
  catalogue: Catalogue,
  about: About & { most: number },
  signal: AbortSignal,
): Promise<string[][]> {
  return withHolders(ports, catalogue, about.statements, signal, (held) =>
    ports.threads.run('nearest-to-each', { ...about, ids: catalogue.ids, ...held }, signal),
  );
}

/** Ranks with the last summaries at hand; where there are more, what they hold of the statements' terms is found out before. */
async function withHolders<Ranked>(
  { content, threads }: ActivityPorts,
  catalogue: Catalogue,
  statements: readonly string[],
  signal: AbortSignal,
  rank: (held: Pick<FurtherSourcesRequest, 'last' | 'holders'>) => Promise<Ranked>,
): Promise<Ranked> {
  const partFrom = async (first: number): Promise<SummaryPart> => {
    const sources = await catalogue.between(first, first + SUMMARIES_AT_ONCE);
    const texts = await readTexts(
      content,
      sources.map(({ summaryRef }) => summaryRef),
    );
    return { first, summaries: sources.map(({ summaryRef }) => texts.get(summaryRef) ?? '') };
  };
  // What is held for all sources is held by no more activities than may read ahead.
  return threads.takeTurn(async () => {
    const holders: Uint32Array[][] = [];
    let first = 0;
    for (; first + SUMMARIES_AT_ONCE < catalogue.ids.length; first += SUMMARIES_AT_ONCE) {
      const part = await partFrom(first);
      holders.push(await threads.run('term-holders', { statements, ...part }, signal));
    }
    return rank({ last: await partFrom(first), holders });
  }, signal);
}
