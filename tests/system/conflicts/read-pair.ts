import type { Conflict } from '../../../src/contracts/report/finding';
import { repeatsAmong } from '../../support/crowds/near-duplicates';
import { rateSource } from '../../../src/core/sources/source-quality';
import { passesOver } from '../../support/passes-without-server';
import type { SourcePair } from './source-pairs';

/** The conflicts that a run over the two sources leaves after pass 3, with the one on one side and the other on another. */
export async function conflictsBetween({ a, b }: SourcePair): Promise<Conflict[]> {
  const contents = new Map([a, b].map(({ id, content }) => [id, content]));
  const repeats = await repeatsAmong(contents);
  const { validated } = await passesOver(
    `What is known about ${a.title.replace(/\s*[:[(–].*$/, '')}?`,
    [a, b].map(({ id, title, author, publishedAt, url, content }) => {
      const nearDuplicateOf = repeats.get(id);
      return {
        sourceId: id,
        title,
        author,
        publishedAt,
        quality: rateSource({ url }),
        content,
        ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
      };
    }),
  );
  return validated.conflicts.filter(({ viewpoints }) =>
    viewpoints.some(
      ({ citations }, at) =>
        citations.includes(a.id) &&
        viewpoints.some((other, place) => place !== at && other.citations.includes(b.id)),
    ),
  );
}
