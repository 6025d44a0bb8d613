import type { Work } from '../../contracts/source/source';
import type { DocumentSource } from '../document';
import { webAddress } from '../web-address';

interface CitedSource {
  n: number;
  sourceId: string;
  url: string | null;
  title: string;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
  quality?: DocumentSource['quality'] | undefined;
  work?: Work | undefined;
}

export function citedSource(
  { n, sourceId, url, title, author, site, publishedAt, accessedAt, quality, work }: CitedSource,
  timesCited: number,
  isRead: boolean,
): DocumentSource {
  return {
    n,
    sourceId,
    title,
    author: author ?? null,
    site: site ?? null,
    publishedAt: publishedAt ?? null,
    accessedAt: accessedAt ?? null,
    url: webAddress(url),
    quality: quality ?? null,
    timesCited,
    ...(isRead ? {} : { bySummaryOnly: true as const }),
    ...(work === undefined ? {} : { work }),
  };
}
