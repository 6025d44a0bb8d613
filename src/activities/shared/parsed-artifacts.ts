import type { z } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ContentStore } from '../../stores/content-store';
import { keepValues, type KeptValues } from './kept-values';

/** The catalogue of some ten thousand sources, beside what a run of a few hundred has. */
const MOST_CHARS = 16_000_000;

/** A value, and how long the text is that it was parsed from. */
export interface ParsedArtifact<Value> {
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
export async function parsedOnce<Value>(
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
