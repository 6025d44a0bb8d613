import type { SourceEntry } from '../../contracts/source/source';
import type { ContentStore } from '../../stores/content-store';
import { storedSources } from '../given-sources';
import { InvalidRequestError } from '../run-errors';
import type { Corpus } from './answer-request';

export interface KnownCorpus extends Corpus {
  sources: SourceEntry[];
}

/** What a stored list of sources names; rejects with `InvalidRequestError` where this store has no such list. */
export async function knownCorpus(
  { content }: { content: ContentStore },
  manifestRef: string,
): Promise<KnownCorpus> {
  const sources = await storedSources(content, manifestRef);
  if (sources === null)
    throw new InvalidRequestError([
      `manifestRef is ${manifestRef}, and this store has no list of sources under it: import them again, or name the data folder in which they are`,
    ]);
  return { manifestRef, count: sources.length, sources };
}
