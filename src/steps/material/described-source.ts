import type { SourceQuality } from '../../contracts/source/source';
import { promptLine } from './material-block';

export interface DescribedSource {
  title: string;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  quality: SourceQuality;
}

/** `“Title”, author “Doe, J.”, site “BMJ”, date “2012-04”, authoritative`: each piece is data, and ends where its mark does. */
export function describeSource(source: DescribedSource): string {
  return `${nameSource(source)}, ${source.quality.level}`;
}

export function nameSource({ title, author, site, publishedAt }: Omit<DescribedSource, 'quality'>): string {
  const named = Object.entries({ author, site, date: publishedAt }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${quotedData(value)}`],
  );
  return [quotedData(title), ...named].join(', ');
}

/** One line between marks of which it has none itself. */
function quotedData(text: string): string {
  return `“${promptLine(text).replace(/[“”]/g, '"')}”`;
}
