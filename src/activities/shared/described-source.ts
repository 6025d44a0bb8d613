import type { CitableSource } from '../../steps/material/citable-source';

type Described = Omit<CitableSource, 'sourceId'> & { id: CitableSource['sourceId'] };

export function describedSource(source: Described): CitableSource {
  const { id, title, author, site, publishedAt, quality, work } = source;
  return { sourceId: id, title, author, site, publishedAt, quality, ...(work === undefined ? {} : { work }) };
}
