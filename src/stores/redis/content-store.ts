import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { RunId } from '../../contracts/run/run';
import { artifactRef, isArtifactRef } from '../artifact-ref';
import type { ContentStore } from '../content-store';
import { CorruptArtifactError } from '../errors/corrupt-artifact-error';
import { StoreDamagedError } from '../errors/store-damaged-error';
import { inParts } from '../in-parts';
import { isPackedFrom, unpackArtifact } from '../packed-artifact';
import { packText } from '../packed-text';
import type { Items } from './items';
import type { Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import type { RunRenewal } from './run-renewal';
import { MEASURE_TEXTS } from './scripts/item-scripts';

/** So many packed texts are in memory at once beside those that were asked for. */
const TEXTS_AT_ONCE = 32;

const Measured = z.tuple([z.number(), z.number()]);

export function openContentStore(options: {
  connection: RedisConnection;
  keys: Keys;
  renewal: RunRenewal;
  items: Items;
}): ContentStore {
  const { connection, keys, renewal, items } = options;
  const measureTexts = connection.script(MEASURE_TEXTS);
  const retrievals = { requested: 0, found: 0, missing: 0 };
  const keyOf = (ref: ArtifactRef): string => `${keys.itemPrefix('content')}${ref}`;

  async function storePart(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    const refs = texts.map(artifactRef);
    const textByRef = new Map(refs.map((ref, at) => [ref, texts[at] ?? '']));
    // What is there is held from here on, and so stays whoever else is cleared.
    const there = await items.take(runId, [...textByRef.keys()]);
    const packed: [ArtifactRef, Buffer][] = [];
    for (const [ref, text] of textByRef) {
      const kept = there.get(ref);
      // Bytes that are there are not the text for that: those that are damaged are written anew.
      if (kept !== undefined && (await isPackedFrom(kept, text))) continue;
      packed.push([ref, await packText(text)]);
      await nextTurn();
    }
    await items.put(runId, packed);
    return refs;
  }

  async function storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    RunId.parse(runId);
    const refs: ArtifactRef[] = [];
    for (const part of inParts(texts, (text) => text.length)) refs.push(...(await storePart(runId, part)));
    return refs;
  }

  async function retrieve(ref: ArtifactRef): Promise<string | null> {
    const packed = isArtifactRef(ref) ? await read(ref) : null;
    retrievals.requested += 1;
    if (packed === null) {
      retrievals.missing += 1;
      return null;
    }
    const text = await unpackArtifact(ref, packed);
    retrievals.found += 1;
    return text;
  }

  /** Its time to live is looked at with it, and is written only where some of it is over. */
  async function read(ref: ArtifactRef): Promise<Buffer | null> {
    const [packed, leftMs] = await connection
      .ask((redis) => Promise.all([redis.hgetBuffer(keyOf(ref), 'value'), redis.pttl(keyOf(ref))]))
      .catch((cause: unknown) => {
        // A key of another type: what is there is not the text, and is written anew by whoever stores that.
        throw cause instanceof StoreDamagedError ? new CorruptArtifactError(ref, { cause }) : cause;
      });
    if (packed !== null && leftMs < renewal.ttlMs * 0.75) await renewal.renewKeys([keyOf(ref)]);
    return packed;
  }

  return {
    storeBatch,
    retrieve,
    async store(runId, text) {
      const [ref] = await storeBatch(runId, [text]);
      return ref ?? artifactRef(text);
    },
    async retrieveBatch(refs) {
      const wanted = [...new Set(refs)];
      const texts = new Map<ArtifactRef, string>();
      for (let from = 0; from < wanted.length; from += TEXTS_AT_ONCE) {
        const part = wanted.slice(from, from + TEXTS_AT_ONCE);
        const found = await Promise.all(part.map(retrieve));
        part.forEach((ref, at) => {
          const text = found[at] ?? null;
          if (text !== null) texts.set(ref, text);
        });
        await nextTurn();
      }
      return texts;
    },
    has: async (ref) =>
      isArtifactRef(ref) && (await connection.ask((redis) => redis.exists(keyOf(ref)))) === 1,
    async hold(runId, refs) {
      const absent = new Set(await items.hold(runId, [...new Set(refs.filter(isArtifactRef))]));
      return refs.filter((ref) => !isArtifactRef(ref) || absent.has(ref));
    },
    /** Counted anew each time, because texts that nobody uses go by themselves: a look at every key of the server. */
    async statistics() {
      const seen = new Set<string>();
      let cursor = '0';
      let artifacts = 0;
      let totalChars = 0;
      do {
        const at = cursor;
        const [next, found] = await connection.ask((redis) =>
          redis.scan(at, 'MATCH', `${keys.itemPrefix('content')}*`, 'COUNT', 500),
        );
        const fresh = found.filter((key) => !seen.has(key));
        for (const key of fresh) seen.add(key);
        if (fresh.length > 0) {
          const [texts, chars] = Measured.parse(await measureTexts(fresh, []));
          artifacts += texts;
          totalChars += chars;
        }
        cursor = next;
      } while (cursor !== '0');
      return { artifacts, totalChars, retrievals: { ...retrievals } };
    },
    clearRun: (runId) => items.releaseRun(runId),
  };
}
