import type { ArtifactRef } from '../contracts/run/artifact';
import type { OriginalFacts, Page } from '../contracts/source/source';
import { originalFacts } from '../core/sources/original-facts';
import { normaliseUrl } from '../core/sources/source-url';
import type { ListedSource } from './subtopic-to-read';

/** What one place says of a source: a record, an entry of a summary's own list, a link, an address alone. */
export interface NamedSource extends OriginalFacts {
  /** The same for the same source, wherever it is named. */
  key: string;
  url: string | null;
  title?: string | undefined;
  /** What a summary calls it where it links to it. */
  words?: string | undefined;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
  contentRef: ArtifactRef | null;
  contentChars: number;
  pages?: Page[] | undefined;
}

export function namedByAddress(url: string): NamedSource {
  return { key: addressKey(url), url, contentRef: null, contentChars: 0 };
}

export function namedByTitle(title: string): NamedSource {
  return { key: titleKey(title, null), url: null, title, contentRef: null, contentChars: 0 };
}

export function namedByRecord(source: ListedSource): NamedSource {
  const { url, title, file, author, site, publishedAt, accessedAt } = source;
  const { contentRef, contentChars, pages } = source;
  const name = title ?? file;
  return {
    key: url === undefined ? titleKey(name ?? '', contentRef) : addressKey(url),
    url: url ?? null,
    title: name,
    author,
    site,
    publishedAt,
    accessedAt,
    ...originalFacts(source),
    contentRef,
    contentChars,
    pages,
  };
}

function addressKey(url: string): string {
  return normaliseUrl(/^www\./i.test(url) ? `https://${url}` : url);
}

function titleKey(title: string, contentRef: ArtifactRef | null): string {
  return `${title} ${contentRef ?? ''}`;
}
