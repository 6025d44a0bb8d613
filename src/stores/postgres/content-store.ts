import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { RunId } from '../../contracts/run/run';
import { artifactRef, isArtifactRef } from '../artifact-ref';
import type { ContentStore } from '../content-store';
import { inParts } from '../in-parts';
import { isPackedFrom, unpackArtifact } from '../packed-artifact';
import { packText } from '../packed-text';
import type { StoreDatabase } from './database';
import { openHeldValues } from './held-values';

/** Their sizes are not known before they are there. */
const TEXTS_AN_ANSWER = 50;

export function openContentStore(database: StoreDatabase): ContentStore {
  const artifacts = openHeldValues(database, 'artifacts');
  const retrievals = { requested: 0, found: 0, missing: 0 };

  async function storePart(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    const named = texts.map((text) => ({ ref: artifactRef(text), text }));
    const textByRef = new Map(named.map(({ ref, text }) => [ref, text]));
    await artifacts.add(runId, [...textByRef.keys()], {
      // Bytes that are there are not the text for that: those that are damaged are written anew.
      isWhole: async (ref, packed) => isPackedFrom(packed, textByRef.get(ref) ?? ''),
      async make(ref) {
        const text = textByRef.get(ref) ?? '';
        const value = await packText(text);
        await nextTurn();
        return { value, size: text.length };
      },
    });
    return named.map(({ ref }) => ref);
  }

  async function storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    RunId.parse(runId);
    const refs: ArtifactRef[] = [];
    for (const part of inParts(texts, (text) => text.length)) refs.push(...(await storePart(runId, part)));
    return refs;
  }

  async function retrieveBatch(refs: readonly ArtifactRef[]): Promise<Map<ArtifactRef, string>> {
    const texts = new Map<ArtifactRef, string>();
    const wanted = [...new Set(refs)];
    for (let from = 0; from < wanted.length; from += TEXTS_AN_ANSWER) {
      const part = wanted.slice(from, from + TEXTS_AN_ANSWER);
      const packed = await artifacts.read(part.filter(isArtifactRef));
      retrievals.requested += part.length;
      retrievals.missing += part.length - packed.size;
      for (const [ref, bytes] of packed) {
        texts.set(ref, await unpackArtifact(ref, bytes));
        retrievals.found += 1;
        await nextTurn();
      }
    }
    return texts;
  }

  return {
    storeBatch,
    retrieveBatch,
    async store(runId, text) {
      const [ref] = await storeBatch(runId, [text]);
      return ref ?? artifactRef(text);
    },
    async retrieve(ref) {
      return (await retrieveBatch([ref])).get(ref) ?? null;
    },
    async has(ref) {
      return isArtifactRef(ref) && (await artifacts.has(ref));
    },
    async hold(runId, refs) {
      RunId.parse(runId);
      const missing: ArtifactRef[] = [];
      for (const part of inParts(refs, () => 0)) {
        const held = await artifacts.hold(runId, part.filter(isArtifactRef));
        missing.push(...part.filter((ref) => !held.has(ref)));
      }
      return missing;
    },
    async statistics() {
      const { items, size } = await artifacts.totals();
      return { artifacts: items, totalChars: size, retrievals: { ...retrievals } };
    },
    async clearRun(runId) {
      return artifacts.clearRun(RunId.parse(runId));
    },
  };
}
