import type { CataloguedSource, SourceCatalogue } from '../../contracts/source/source';
import { count } from '../../core/writing/count';
import { inert } from '../../core/writing/quotation';
import { bullets, joinBlocks } from '../../core/writing/markdown-blocks';
import { code, type SourceLabels } from './source-labels';

/** What gathering left: every source with its rating, and which of them repeat others. */
export function catalogueMarkdown({ sources, merged }: SourceCatalogue, labels: SourceLabels): string {
  const authoritative = sources.filter(({ quality }) => quality.level === 'authoritative').length;
  const repeats = sources.filter(({ nearDuplicateOf }) => nearDuplicateOf !== undefined).length;
  return joinBlocks([
    '# Sources gathered',
    [
      count(sources.length, 'source'),
      `${authoritative} of them authoritative`,
      count(repeats, 'near-duplicate'),
      `${merged.length} merged with another of the same address`,
    ].join(', ') + '.',
    bullets(sources.map((source) => sourceLine(source, labels))),
    ...(merged.length === 0
      ? []
      : ['## Merged', bullets(merged.map(({ id, into }) => `${code(id)} is ${labels.labelWithId(into)}`))]),
  ]);
}

function sourceLine(source: CataloguedSource, labels: SourceLabels): string {
  const { id, site, publishedAt, url, contentChars, quality, nearDuplicateOf } = source;
  const about = [site, publishedAt].flatMap((part) => (part === undefined ? [] : [inert(part)])).join(', ');
  return [
    labels.labelWithId(id),
    ...(about === '' ? [] : [about]),
    ...(url === null ? [] : [code(url)]),
    count(contentChars, 'character'),
    `${quality.level}: ${inert(quality.reason).replace(/\.$/, '')}`,
    ...(nearDuplicateOf === undefined ? [] : [`nearly repeats ${labels.name(nearDuplicateOf)}`]),
  ].join(' · ');
}
