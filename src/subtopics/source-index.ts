import { createHash } from 'node:crypto';
import type { BriefSource } from '../contracts/brief/brief-material';
import { originalFacts } from '../core/sources/original-facts';
import { rateSource } from '../core/sources/source-quality';
import { groupedBy } from '../core/values/grouped-by';
import { parsedUrl } from '../core/values/parsed-url';
import type { NamedSource } from './named-source';
import { titleOfAddress } from './title-of-address';

export interface SourceIndex {
  sources: BriefSource[];
  idOf: ReadonlyMap<string, string>;
}

/**
 * One source for each key, numbered in the order given. Of several texts the longest stands; whatever else is told is taken from
 * the first who tells it.
 */
export function sourceIndex(named: readonly NamedSource[], asOf: string): SourceIndex {
  const grouped = [...groupedBy(named, ({ key }) => key)];
  const sources = grouped.map(([key, told], at) => sourceOf(key, told, at + 1, asOf));
  return { sources, idOf: new Map(grouped.map(([key], at) => [key, sources[at]?.id ?? ''])) };
}

function sourceOf(key: string, told: readonly NamedSource[], n: number, asOf: string): BriefSource {
  const first = <Field extends keyof NamedSource>(field: Field): NamedSource[Field] | undefined =>
    told.find((source) => (source[field] ?? null) !== null)?.[field];
  const url = first('url') ?? null;
  const whole = told.reduce((best, source) => (source.contentChars > best.contentChars ? source : best));
  const [author, publishedAt, pages] = [first('author'), first('publishedAt'), whole.pages];
  const site = first('site') ?? (url === null ? undefined : hostOf(url));
  const title = first('title') ?? first('words') ?? (url === null ? 'Untitled' : titleOfAddress(url));
  return {
    id: idOf(key, url),
    n,
    url,
    title,
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    accessedAt: first('accessedAt') ?? asOf,
    // Of the text that stands, whatever others say of theirs.
    ...originalFacts(whole),
    quality: rateSource({ url }),
    contentRef: whole.contentRef,
    contentChars: whole.contentChars,
    ...(pages === undefined ? {} : { pages }),
  };
}

/** Readable where it has a host; the rest is a part of the hash of what the source is known by. */
function idOf(key: string, url: string | null): string {
  const hash = createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 12);
  const host = url === null ? undefined : hostOf(url);
  return `${(host ?? 'source').replace(/[^a-z0-9.]+/gi, '-').slice(0, 60)}-${hash}`;
}

function hostOf(url: string): string | undefined {
  const host = parsedUrl(url)?.hostname.replace(/^www\./, '');
  return host === '' ? undefined : host;
}
