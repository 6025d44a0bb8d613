import type { z } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { toArtifactText } from '../../core/run/json-artifact';
import type { ContentStore } from '../../stores/content-store';
import { keepValues, type KeptValues } from './kept-values';

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

/** The catalogue of some ten thousand sources, beside what a run of a few hundred has. */
const MOST_CHARS = 16_000_000;

interface ParsedArtifact<Value> {
  value: Value;
  chars: number;
}

const keptBy = new WeakMap<ContentStore, KeptValues<ParsedArtifact<unknown>>>();
const schemaNames = new WeakMap<z.ZodType, string>();
let schemas = 0;

/**
 * What `read` gives for an artifact under a schema, read and parsed once while it is among the last that were asked for. An
 * artifact never changes, and whoever gets its value must not change it either.
 */
async function parsedOnce<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
  read: () => Promise<ParsedArtifact<Value>>,
): Promise<Value> {
  const kept = keptBy.get(content) ?? keepValues<ParsedArtifact<unknown>>(MOST_CHARS);
  keptBy.set(content, kept);
  const name = `${ref} ${nameOf(schema)}`;
  const known = kept.get(name);
  const parsed = known ?? read();
  if (known === undefined) kept.put(name, parsed, ({ chars }) => chars);
  return (await parsed).value as Value; // it was parsed by this very schema
}

function nameOf(schema: z.ZodType): string {
  const known = schemaNames.get(schema);
  if (known !== undefined) return known;
  schemas += 1;
  schemaNames.set(schema, `${schemas}`);
  return `${schemas}`;
}
