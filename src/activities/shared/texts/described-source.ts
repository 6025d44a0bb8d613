import type { CitableSource } from '../../../steps/material/citable-source';

type Described = Omit<CitableSource, 'sourceId'> & { id: CitableSource['sourceId'] };

/** What steps are told of every source, whatever else they are given of it. */
export function describedSource({ id, title, author, site, publishedAt, quality }: Described): CitableSource {
  return { sourceId: id, title, author, site, publishedAt, quality };
}
