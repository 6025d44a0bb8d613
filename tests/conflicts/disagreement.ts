import type { Conflict } from '../../src/core/contracts/finding';
import { markNearDuplicates, signatureOf } from '../../src/core/near-duplicates';
import { rateSource } from '../../src/core/source-quality';
import { passesOver, type Passes } from '../support/passes-without-server';
import type { SourcePair } from './source-pairs';

export interface Reading {
  passes: Passes;
  /** The conflicts of pass 3 that have the one source on one side and the other on another. */
  conflicts: Conflict[];
}

/** What a run over the two sources of a pair finds, up to the end of pass 3. */
export async function readPair({ a, b }: SourcePair): Promise<Reading> {
  const records = [a, b];
  const contents = new Map(records.map(({ id, content }) => [id, content]));
  const repeats = await markNearDuplicates(
    new Map(records.map(({ id, content }) => [id, signatureOf(content)])),
    (id) => contents.get(id) ?? '',
  );
  const question = `What is known about ${a.title.replace(/\s*[:[(–].*$/, '')}?`;
  const passes = passesOver(
    question,
    records.map(({ id, title, author, publishedAt, url, content }) => {
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
  const conflicts = passes.validated.conflicts.filter(({ viewpoints }) => {
    const sides = viewpoints.map(({ citations }) => citations);
    return sides.some(
      (one, at) => one.includes(a.id) && sides.some((other, place) => place !== at && other.includes(b.id)),
    );
  });
  return { passes, conflicts };
}
