import { z } from 'zod';
import type { ContentPart, ContentStart } from '../contracts/run';
import { ArtifactRef } from '../contracts/source';
import { toArtifactText } from '../lib/json';
import type { ContentStore } from '../stores/content-store';
import type { ActivityPorts } from './ports';

/** The store was changed, or is not the one that the run started on. */
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
  return (await parseArtifact(content, ref, schema)).value;
}

/** Like `readArtifact`, but cached. Callers share the value and must not change it. */
export function readCached<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
): Promise<Value> {
  return parseCached(content, ref, schema, () => parseArtifact(content, ref, schema));
}

export async function readOptional<Value>(
  content: ContentStore,
  ref: ArtifactRef | null,
  schema: z.ZodType<Value>,
): Promise<Value | null> {
  return ref === null ? null : readCached(content, ref, schema);
}

async function parseArtifact<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
): Promise<ParsedArtifact<Value>> {
  const text = await content.retrieve(ref);
  if (text === null) throw new MissingArtifactError(ref);
  return { value: schema.parse(JSON.parse(text)), chars: text.length };
}

/** Room for the catalogue of 10,000 sources and the artifacts of a run with a few hundred. */
const MAX_ARTIFACT_CHARS = 16_000_000;

interface ParsedArtifact<Value> {
  value: Value;
  chars: number;
}

const artifactCaches = new WeakMap<ContentStore, LruCache<ParsedArtifact<unknown>>>();
const schemaNames = new WeakMap<z.ZodType, string>();
let schemas = 0;

async function parseCached<Value>(
  content: ContentStore,
  ref: ArtifactRef,
  schema: z.ZodType<Value>,
  read: () => Promise<ParsedArtifact<Value>>,
): Promise<Value> {
  const kept = artifactCaches.get(content) ?? createLruCache<ParsedArtifact<unknown>>(MAX_ARTIFACT_CHARS);
  artifactCaches.set(content, kept);
  const name = `${ref} ${schemaName(schema)}`;
  const known = kept.get(name);
  const parsed = known ?? read();
  if (known === undefined) kept.put(name, parsed, ({ chars }) => chars);
  return (await parsed).value as Value; // it was parsed by this very schema
}

function schemaName(schema: z.ZodType): string {
  const known = schemaNames.get(schema);
  if (known !== undefined) return known;
  schemas += 1;
  schemaNames.set(schema, `${schemas}`);
  return `${schemas}`;
}

/** The summaries of about 2,000 sources, or the full texts of four sections. */
const MAX_TEXT_CHARS = 4_000_000;

const textCaches = new WeakMap<ContentStore, LruCache<string | null>>();

export async function readTexts(
  content: ContentStore,
  refs: readonly ArtifactRef[],
): Promise<Map<ArtifactRef, string>> {
  const kept = textCaches.get(content) ?? createLruCache<string | null>(MAX_TEXT_CHARS);
  textCaches.set(content, kept);
  const known = new Map([...new Set(refs)].map((ref) => [ref, kept.get(ref)] as const));
  const absent = [...known].flatMap(([ref, text]) => (text === undefined ? [ref] : []));
  if (absent.length > 0) {
    const read = content.retrieveBatch(absent);
    for (const ref of absent) {
      const text = read.then((texts) => texts.get(ref) ?? null);
      // Absence is not cached: the text may be stored later.
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

const ArtifactList = z.object({ refs: z.array(ArtifactRef) });

export interface ListArtifactsInput {
  runId: string;
  refs: ArtifactRef[];
}

/** Stores a list of references, so that the workflow history holds one instead of many. */
export async function listArtifacts(
  { content }: ActivityPorts,
  { runId, refs }: ListArtifactsInput,
): Promise<{ listRef: ArtifactRef }> {
  return { listRef: await storeArtifact(content, runId, { refs }) };
}

export async function readLists(
  content: ContentStore,
  listRefs: readonly ArtifactRef[],
): Promise<ArtifactRef[]> {
  const lists: ArtifactRef[][] = [];
  for (const ref of listRefs) lists.push((await readArtifact(content, ref, ArtifactList)).refs);
  return lists.flat();
}

/** A payload may have 2 MB, and JSON needs up to 6 bytes for a UTF-16 unit. */
const MAX_PART_CHARS = 250_000;

/** Reads part of a text for clients without a store; null if there is no such text. */
export async function readContent(
  { content }: ActivityPorts,
  { ref, from = 0 }: ContentStart,
): Promise<ContentPart | null> {
  const text = await content.retrieve(ref);
  if (text === null) return null;
  const end = from + MAX_PART_CHARS;
  // Do not split a surrogate pair: some languages cannot join the halves again.
  const next = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
  return next < text.length ? { text: text.slice(from, next), next } : { text: text.slice(from), next: null };
}

/** Values by name, the least recently used dropped first. Callers share values and must not change them. */
export interface LruCache<Value> {
  get(name: string): Promise<Value> | undefined;
  put(name: string, made: Promise<Value>, charsOf: (value: Value) => number | null): void;
}

interface LruEntry<Value> {
  made: Promise<Value>;
  chars: number;
}

/** `mostChars` has the unit of `charsOf`. The latest value stays whatever its size. */
export function createLruCache<Value>(mostChars: number): LruCache<Value> {
  /** In order of last use. */
  const kept = new Map<string, LruEntry<Value>>();
  let chars = 0;

  const drop = (name: string, entry: LruEntry<Value>): void => {
    if (kept.get(name) !== entry) return;
    kept.delete(name);
    chars -= entry.chars;
  };
  const grow = (name: string, entry: LruEntry<Value>, size: number): void => {
    if (kept.get(name) !== entry) return;
    entry.chars = size;
    chars += size;
    for (const [other, oldest] of kept) {
      if (chars <= mostChars) return;
      if (oldest !== entry) drop(other, oldest);
    }
  };
  return {
    get(name) {
      const entry = kept.get(name);
      if (entry === undefined) return undefined;
      kept.delete(name);
      kept.set(name, entry);
      return entry.made;
    },
    put(name, made, charsOf) {
      const entry: LruEntry<Value> = { made, chars: 0 };
      const former = kept.get(name);
      if (former !== undefined) drop(name, former);
      kept.set(name, entry);
      made.then(
        (value) => {
          const size = charsOf(value);
          if (size === null) drop(name, entry);
          else grow(name, entry, size);
        },
        () => drop(name, entry),
      );
    },
  };
}
