import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArtifactRef } from '../contracts/run/artifact';
import { RunId } from '../contracts/run/run';
import { artifactRef, isArtifactRef } from './artifact-ref';
import { CorruptArtifactError } from './errors';
import { inParts } from './in-parts';
import { packText, unpackText } from './packed-text';
import type { RunItems } from './run-items';

/** Sizes are UTF-16 units of text as given; retrievals count since the store was opened by this process. */
export interface ContentStatistics {
  artifacts: number;
  totalChars: number;
  retrievals: { requested: number; found: number; missing: number };
}

/**
 * Keeps text under its SHA-256. Each run has its own copy of what it uses. Summaries and full contents are separate texts
 * with separate references (document 002: kept beside each other, never instead).
 */
export interface ContentStore {
  /** Resolves when the text is on disk and `runId` has it. Storing the same text again changes nothing. */
  store(runId: string, text: string): Promise<ArtifactRef>;
  /** As `store` for many texts with one flush; the references are in the order of the texts. */
  storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]>;
  /** The text, or null where no run has it. Throws `CorruptArtifactError` where the stored bytes do not match the reference. */
  retrieve(ref: ArtifactRef): Promise<string | null>;
  /** What was found; a missing reference is absent from the map. */
  retrieveBatch(refs: readonly ArtifactRef[]): Promise<Map<ArtifactRef, string>>;
  has(ref: ArtifactRef): Promise<boolean>;
  /** Gives the run its own copy of what is stored already; resolves with the references that are not there. */
  hold(runId: string, refs: readonly ArtifactRef[]): Promise<ArtifactRef[]>;
  statistics(): Promise<ContentStatistics>;
  /** Deletes the run's texts; resolves with how many it had. */
  clearRun(runId: string): Promise<number>;
}

/** So many packed texts are in memory at once beside those that were asked for. */
const TEXTS_AT_ONCE = 32;

export function openContentStore(
  items: RunItems,
  measure: () => Promise<Omit<ContentStatistics, 'retrievals'>>,
): ContentStore {
  const retrievals = { requested: 0, found: 0, missing: 0 };

  async function storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    RunId.parse(runId);
    const refs: ArtifactRef[] = [];
    for (const part of inParts(texts, (text) => text.length)) {
      const packed = new Map<ArtifactRef, Buffer>();
      for (const text of part) {
        const ref = artifactRef(text);
        refs.push(ref);
        if (!packed.has(ref)) packed.set(ref, await packText(text));
        await nextTurn();
      }
      await items.put(runId, [...packed]);
    }
    return refs;
  }

  async function retrieveBatch(refs: readonly ArtifactRef[]): Promise<Map<ArtifactRef, string>> {
    const texts = new Map<ArtifactRef, string>();
    const wanted = [...new Set(refs)];
    for (const part of inParts(wanted, () => 0, { items: TEXTS_AT_ONCE, size: 0 })) {
      const packed = await items.read(part.filter(isArtifactRef));
      for (const [ref, bytes] of packed) {
        texts.set(ref, await unpackArtifact(ref, bytes));
        await nextTurn();
      }
    }
    retrievals.requested += wanted.length;
    retrievals.found += texts.size;
    retrievals.missing += wanted.length - texts.size;
    return texts;
  }

  return {
    storeBatch,
    retrieveBatch,
    async store(runId, text) {
      const [ref] = await storeBatch(runId, [text]);
      return ref ?? artifactRef(text);
    },
    retrieve: async (ref) => (await retrieveBatch([ref])).get(ref) ?? null,
    has: async (ref) => isArtifactRef(ref) && (await items.read([ref])).size > 0,
    async hold(runId, refs) {
      const absent = new Set(await items.hold(runId, [...new Set(refs.filter(isArtifactRef))]));
      return refs.filter((ref) => !isArtifactRef(ref) || absent.has(ref));
    },
    statistics: async () => ({ ...(await measure()), retrievals: { ...retrievals } }),
    clearRun: (runId) => items.clearRun(runId),
  };
}

/** Rejects with `CorruptArtifactError` where the bytes are not the text that the reference names. */
async function unpackArtifact(ref: ArtifactRef, packed: Buffer): Promise<string> {
  const text = await unpackText(packed).catch((cause: unknown) => {
    throw new CorruptArtifactError(ref, { cause });
  });
  if (artifactRef(text) !== ref) throw new CorruptArtifactError(ref);
  return text;
}
