import { markNearDuplicates } from '../../../core/duplicates/near-duplicates';
import { forgetSignature } from '../../../core/duplicates/near-duplicate-signature';
import type { GatheredSources } from './gathered-sources';
import type { ActivityPorts } from '../../shared/ports';

/** Each kept source that nearly repeats another one's text, with that one's id. */
export async function repeatedSources(
  { content, threads }: ActivityPorts,
  { entries, signatures }: GatheredSources,
  kept: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  // What was merged into another source is nobody's copy.
  for (const [at, { id }] of entries.entries()) if (!kept.has(id)) forgetSignature(signatures, at);
  const repeats = await markNearDuplicates(
    signatures,
    (at) => entries[at]?.contentChars ?? 0,
    async (places) => {
      const refs = new Map(places.map((at) => [at, entries[at]?.contentRef ?? '']));
      const texts = await content.retrieveBatch([...refs.values()]);
      return new Map([...refs].map(([at, ref]) => [at, texts.get(ref) ?? '']));
    },
    {
      candidates: (table) => threads.run('near-duplicate-candidates', table, signal),
      verify: (suspected) => threads.run('verify-copies', suspected, signal),
    },
  );
  const idOf = (at: number): string => entries[at]?.id ?? '';
  return new Map([...repeats].map(([at, original]) => [idOf(at), idOf(original)]));
}
