import { stripUnsafe } from '../../core/text/untrusted-text';
import { groupedBy } from '../../core/values/grouped-by';
import { parsedUrl } from '../../core/values/parsed-url';
import { authorsOf, type AuthorName, yearOf } from '../../core/writing/attribution';
import type { DocumentSource, DocumentTree } from '../document';
import { publishedAt } from '../../core/sources/source-quality';

/** A source as reference managers know it; every text is on one line. */
export interface Reference {
  sourceId: string;
  title: string;
  authors: AuthorName[];
  /** True where it has more authors than it names. */
  hasOthers: boolean;
  /** A journal, or the name of a site. */
  site: string | null;
  year: string | null;
  /** `03` and `01` of `2021-03-01`. */
  month: string | null;
  day: string | null;
  /** `2021-03-01`. */
  accessed: string | null;
  url: string | null;
  doi: string | null;
  kind: SourceKind;
  /** Which run it is of, and what made that. */
  note: string;
}

/** One for each source: the numbers of an answer stand for passages, of which a source may have several. */
export function referencesOf(tree: DocumentTree): Reference[] {
  const sources = groupedBy(tree.sources, ({ sourceId }) => sourceId).values();
  return [...sources].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          referenceOf(
            first,
            [first, ...others].map(({ n }) => n),
            tree,
          ),
        ],
  );
}

/** `report “changes”, Colligate 0.6.0`. */
export function provenanceOf({ kind, id, version }: DocumentTree): string {
  return `${kind} “${oneLine(id)}”, Colligate ${oneLine(version)}`;
}

function referenceOf(source: DocumentSource, numbers: readonly number[], tree: DocumentTree): Reference {
  const { sourceId, url, accessedAt } = source;
  const author = textOf(source.author);
  const site = textOf(source.site);
  const published = textOf(source.publishedAt);
  const [, month, day] = /^\d{4}-(0[1-9]|1[0-2])(?:-([0-3]\d))?(?!\d)/.exec(published ?? '') ?? [];
  return {
    sourceId,
    title: textOf(source.title) ?? sourceId,
    authors: authorsOf(author ?? undefined),
    hasOthers: /\bet al\b/i.test(author ?? ''),
    site,
    year: yearOf(published ?? undefined) ?? null,
    month: month ?? null,
    day: day ?? null,
    accessed: /^\d{4}-\d{2}-\d{2}/.exec(accessedAt ?? '')?.[0] ?? null,
    url,
    doi: doiOf(url),
    kind: sourceKind(source),
    note: `[${numbers.join(', ')}] of ${provenanceOf(tree)}`,
  };
}

function doiOf(url: string | null): string | null {
  const parsed = url === null ? null : parsedUrl(url);
  if (parsed === null || !/^(?:dx\.)?doi\.org$/.test(parsed.hostname)) return null;
  return /^\/(10\.\d{4,9}\/.+)$/.exec(parsed.pathname)?.[1] ?? null;
}

function textOf(given: string | null): string | null {
  const text = oneLine(given ?? '');
  return text === '' ? null : text;
}

function oneLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

/** What a source is, as far as its address tells; what has none is a file, or what a caller gave. */
type SourceKind = 'article' | 'preprint' | 'web' | 'file';

function sourceKind({ url }: Pick<DocumentSource, 'url'>): SourceKind {
  return url === null ? 'file' : (publishedAt(url) ?? 'web');
}
