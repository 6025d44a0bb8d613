import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { RunId } from '../../contracts/run/run';
import { artifactRef, isArtifactRef } from '../artifact-ref';
import type { ContentStore } from '../content-store';
import { inParts } from '../in-parts';
import { unpackArtifact } from '../packed-artifact';
import { packedTextLength, packText } from '../packed-text';
import type { StoreEnvironment } from './environment';
import { openHoldings } from './holdings';

interface Totals {
  artifacts: number;
  totalChars: number;
}

export function openContentStore(environment: StoreEnvironment): ContentStore {
  const artifacts = environment.binaryTable('artifacts');
  const totals = environment.jsonTable<Totals>('artifact-totals');
  const holdings = openHoldings(environment, 'artifacts');
  const retrievals = { requested: 0, found: 0, missing: 0 };

  function readTotals(): Totals {
    return totals.get('all') ?? { artifacts: 0, totalChars: 0 };
  }

  function put(ref: ArtifactRef, packed: Buffer): void {
    const { artifacts: count, totalChars } = readTotals();
    // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
    void artifacts.put(ref, packed);
    void totals.put('all', { artifacts: count + 1, totalChars: totalChars + packedTextLength(packed) });
  }

  function remove(ref: ArtifactRef): void {
    const packed = artifacts.get(ref);
    if (packed === undefined) return;
    const { artifacts: count, totalChars } = readTotals();
    void artifacts.remove(ref);
    void totals.put('all', { artifacts: count - 1, totalChars: totalChars - packedTextLength(packed) });
  }

  async function storePart(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    const named = texts.map((text) => ({ ref: artifactRef(text), text }));
    const textByRef = new Map(named.map(({ ref, text }) => [ref, text]));
    const packedByRef = new Map<ArtifactRef, Buffer>();
    let unpacked = environment.read(() => absentOf(textByRef.keys()));
    do {
      for (const ref of unpacked) {
        packedByRef.set(ref, await packText(textByRef.get(ref) ?? ''));
        await nextTurn();
      }
      unpacked = await environment.write(() => {
        const absent = absentOf(textByRef.keys());
        // A text that was there at first may have been cleared with another run since: pack it, and try again.
        const missing = absent.filter((ref) => !packedByRef.has(ref));
        if (missing.length > 0) return missing;
        for (const ref of absent) {
          const packed = packedByRef.get(ref);
          if (packed !== undefined) put(ref, packed);
        }
        for (const ref of textByRef.keys()) holdings.hold(runId, ref);
        return [];
      });
    } while (unpacked.length > 0);
    return named.map(({ ref }) => ref);
  }

  function absentOf(refs: Iterable<ArtifactRef>): ArtifactRef[] {
    return Array.from(refs).filter((ref) => !artifacts.doesExist(ref));
  }

  async function retrieve(ref: ArtifactRef): Promise<string | null> {
    const packed = environment.read(() => (isArtifactRef(ref) ? artifacts.get(ref) : undefined));
    retrievals.requested += 1;
    if (packed === undefined) {
      retrievals.missing += 1;
      return null;
    }
    const text = await unpackArtifact(ref, packed);
    retrievals.found += 1;
    return text;
  }

  async function storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    RunId.parse(runId);
    const refs: ArtifactRef[] = [];
    for (const part of inParts(texts, (text) => text.length)) refs.push(...(await storePart(runId, part)));
    return refs;
  }

  return {
    storeBatch,
    retrieve,
    async store(runId, text) {
      const [ref] = await storeBatch(runId, [text]);
      return ref ?? artifactRef(text);
    },
    async retrieveBatch(refs) {
      const texts = new Map<ArtifactRef, string>();
      for (const ref of new Set(refs)) {
        const text = await retrieve(ref);
        if (text !== null) texts.set(ref, text);
        await nextTurn();
      }
      return texts;
    },
    async has(ref) {
      return environment.read(() => isArtifactRef(ref) && artifacts.doesExist(ref));
    },
    async hold(runId, refs) {
      const missing: ArtifactRef[] = [];
      for (const part of inParts(refs, () => 0)) {
        const isHeld = (ref: ArtifactRef): boolean => isArtifactRef(ref) && holdings.isHeldBy(runId, ref);
        const unheld = environment.read(() => part.filter((ref) => !isHeld(ref)));
        if (unheld.length > 0)
          await environment.write(() => {
            const there = unheld.filter((ref) => isArtifactRef(ref) && artifacts.doesExist(ref));
            for (const ref of there) holdings.hold(runId, ref);
            missing.push(...unheld.filter((ref) => !there.includes(ref)));
          });
        await nextTurn();
      }
      return missing;
    },
    async statistics() {
      return { ...environment.read(readTotals), retrievals: { ...retrievals } };
    },
    async clearRun(runId) {
      return holdings.releaseRun(runId, remove);
    },
  };
}
