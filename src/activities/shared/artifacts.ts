import type { z } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { toArtifactText } from '../../core/run/json-artifact';
import type { ContentStore } from '../../stores/content-store';
import { parsedOnce, type ParsedArtifact } from './parsed-artifacts';

/** A reference of the run's history leads nowhere: the store was changed, or is not the one that the run was started on. */
export class MissingArtifactError extends Error {
  override readonly name = 'MissingArtifactError';
  constructor(ref: ArtifactRef) {
    super(
      `Artifact ${ref} is not in the content store. Does this worker use the data folder the run was started on?`,
    );
  }
}

/** Resolves when the value is on disk. */
export function storeArtifact(content: ContentStore, runId: string, value: unknown): Promise<ArtifactRef> {
  return content.store(runId, toArtifactText(value));
}

/** The value of an artifact that one activity alone reads. */
export async function readArtifact<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
): Promise<Value> {
  return (await parsedArtifact(content, ref, schema)).value;
}

/** As `readArtifact`, for what several activities of a run read: the value is shared, and must not be changed. */
export function readShared<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
): Promise<Value> {
  return parsedOnce(content, ref, schema, () => parsedArtifact(content, ref, schema));
}

/** As `readShared` for a part that a run may not have. */
export async function readIfAny<Value>(
  content: ContentStore,
  ref: ArtifactRef | null,
  schema: z.ZodType<Value>,
): Promise<Value | null> {
  return ref === null ? null : readShared(content, ref, schema);
}

async function parsedArtifact<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
): Promise<ParsedArtifact<Value>> {
  const text = await content.retrieve(ref);
  if (text === null) throw new MissingArtifactError(ref);
  return { value: schema.parse(JSON.parse(text)), chars: text.length };
}
