import type { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { ContentStore } from '../../../stores/content-store';
import { MissingArtifactError, readShared } from '../../shared/artifacts';

/** What was kept of an earlier reply; null where somebody has deleted it since. */
export async function readIfKept<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
): Promise<Value | null> {
  try {
    return await readShared(content, ref, schema);
  } catch (error) {
    if (error instanceof MissingArtifactError) return null;
    throw error;
  }
}
