import type { z } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ContentStore } from '../../stores/content-store';

/** All activities of a section read the same catalogue and outline; a run has few such values under way at once. */
const MOST_KEPT = 6;

interface Parsed {
  ref: ArtifactRef;
  schema: z.ZodType;
  value: Promise<unknown>;
}

const kept = new WeakMap<ContentStore, Parsed[]>();

/**
 * What `read` gives for an artifact under a schema, read and parsed once while it is among the last few that were asked
 * for. An artifact never changes, and whoever gets its value must not change it either.
 */
export async function parsedOnce<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
  read: () => Promise<Value>,
): Promise<Value> {
  const all = kept.get(content) ?? [];
  const known = all.find((parsed) => parsed.ref === ref && parsed.schema === schema);
  const parsed: Parsed = known ?? { ref, schema, value: read() };
  const others = all.filter((other) => other !== parsed);
  kept.set(content, [...others, parsed].slice(-MOST_KEPT));
  try {
    return (await parsed.value) as Value; // it was parsed by this very schema
  } catch (error) {
    // What failed is read again by the next one who asks.
    kept.set(
      content,
      (kept.get(content) ?? []).filter((other) => other !== parsed),
    );
    throw error;
  }
}
