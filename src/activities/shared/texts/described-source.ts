import type { CitableSource } from '../../../steps/material/citable-source';

type Described = Omit<CitableSource, 'sourceId'> & { id: CitableSource['sourceId'] };

export function describedSource({ id, title, author, site, publishedAt, quality }: Described): CitableSource {
  return { sourceId: id, title, author, site, publishedAt, quality };
}
