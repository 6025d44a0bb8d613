import type { SourceWindow } from '../../contracts/source/passage';
import type { ShortIds } from './short-ids';

/** What is known of sources besides what they say, in lines of its own, so that their blocks stay as they are. */
export function sourceNotes(
  sources: readonly (Pick<SourceWindow, 'sourceId' | 'quality'> & { nearDuplicateOf?: string | undefined })[],
  ids: ShortIds,
): string {
  const known = new Set(sources.map(({ sourceId }) => sourceId));
  const authoritative = sources.filter(({ quality }) => quality.level === 'authoritative');
  const repeats = sources.flatMap(({ sourceId, nearDuplicateOf }) =>
    nearDuplicateOf === undefined || !known.has(nearDuplicateOf)
      ? []
      : [`${ids.shortOf(sourceId)} nearly repeats ${ids.shortOf(nearDuplicateOf)}, and counts once with it.`],
  );
  const names = authoritative.map(({ sourceId }) => ids.shortOf(sourceId)).join(', ');
  return [
    `Authoritative sources: ${names === '' ? 'none' : names}. The others are general.`,
    ...repeats,
  ].join('\n');
}
