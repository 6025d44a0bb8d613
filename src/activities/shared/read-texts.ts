import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ContentStore } from '../../stores/content-store';
import { keepValues, type KeptValues } from './kept-values';

/** The summaries of some two thousand sources, or the sources of four sections in full. */
const MOST_CHARS = 4_000_000;

const keptBy = new WeakMap<ContentStore, KeptValues<string | null>>();

/**
 * The texts that are there, as the store's `retrieveBatch` gives them, for what several activities of a run read: a text
 * that was read a little while ago is not read again.
 */
export async function readTexts(
  content: ContentStore,
  refs: readonly ArtifactRef[],
): Promise<Map<ArtifactRef, string>> {
  const kept = keptBy.get(content) ?? keepValues<string | null>(MOST_CHARS);
  keptBy.set(content, kept);
  const known = new Map([...new Set(refs)].map((ref) => [ref, kept.get(ref)] as const));
  const absent = [...known].flatMap(([ref, text]) => (text === undefined ? [ref] : []));
  if (absent.length > 0) {
    const read = content.retrieveBatch(absent);
    for (const ref of absent) {
      const text = read.then((texts) => texts.get(ref) ?? null);
      // What is not there may be stored later.
      kept.put(ref, text, (found) => found?.length ?? null);
      known.set(ref, text);
    }
  }
  const texts = new Map<ArtifactRef, string>();
  for (const [ref, promised] of known) {
    const text = await promised;
    if (text !== undefined && text !== null) texts.set(ref, text);
  }
  return texts;
}
