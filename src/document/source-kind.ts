import { publishedAt } from '../core/sources/source-quality';
import type { DocumentSource } from './document';

/** What a source is, as far as its address tells; what has none is a file, or what a caller gave. */
export type SourceKind = 'article' | 'preprint' | 'web' | 'file';

export function sourceKind({ url }: Pick<DocumentSource, 'url'>): SourceKind {
  return url === null ? 'file' : (publishedAt(url) ?? 'web');
}
