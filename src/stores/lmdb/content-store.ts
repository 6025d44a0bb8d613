import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { RunId } from '../../contracts/run/run';
import { artifactRef, isArtifactRef } from '../artifact-ref';
import type { ContentStore } from '../content-store';
import { inParts } from '../in-parts';
import { isPackedFrom, unpackArtifact } from '../packed-artifact';
import { packedTextLength, packText } from '../packed-text';
import type { StoreEnvironment } from './environment';
import { openHoldings } from './holdings';

const Totals = z.object({ artifacts: z.number(), totalChars: z.number() });
type Totals = z.infer<typeof Totals>;

export function openContentStore(environment: StoreEnvironment): ContentStore {
  const artifacts = environment.binaryTable('artifacts');
  const totals = environment.jsonTable('artifact-totals', Totals);
  const holdings = openHoldings(environment, 'artifacts');
  const retrievals = { requested: 0, found: 0, missing: 0 };

  function readTotals(): Totals {
    const kept = totals.get('all');
    if (kept !== 'damaged') return kept ?? { artifacts: 0, totalChars: 0 };
    const counted = { artifacts: 0, totalChars: 0 };
    for (const { value } of artifacts.getRange()) add(counted, 1, value);
    return counted;
  }

  function add(sum: Totals, sign: 1 | -1, packed: Buffer): void {
    sum.artifacts += sign;
    sum.totalChars += sign * packedTextLength(packed);
  }

  function put(ref: ArtifactRef, packed: Buffer): void {
    const sum = { ...readTotals() };
    const former = artifacts.get(ref);
    if (former !== undefined) add(sum, -1, former);
    add(sum, 1, packed);
    // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
    void artifacts.put(ref, packed);
    totals.put('all', sum);
  }

  function remove(ref: ArtifactRef): void {
    const packed = artifacts.get(ref);
    if (packed === undefined) return;
    const sum = { ...readTotals() };
    add(sum, -1, packed);
    void artifacts.remove(ref);
    totals.put('all', sum);
  }

  async function storePart(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    const named = texts.map((text) => ({ ref: artifactRef(text), text }));
    const textByRef = new Map(named.map(({ ref, text }) => [ref, text]));
    const packedByRef = new Map<ArtifactRef, Buffer>();
    const pack = async (ref: ArtifactRef): Promise<void> => {
      packedByRef.set(ref, await packText(textByRef.get(ref) ?? ''));
      await nextTurn();
    };
    for (const [ref, text] of textByRef) {
      const there = environment.read(() => artifacts.get(ref));
      // Bytes that are there are not the text for that: those that are damaged are written anew.
      if (there === undefined || !(await isPackedFrom(there, text))) await pack(ref);
    }
    for (;;) {
      const missing = await environment.write(() => {
        // A text that was there at first may have been cleared with another run since: pack it, and try again.
        const cleared = absentOf(textByRef.keys()).filter((ref) => !packedByRef.has(ref));
        if (cleared.length > 0) return cleared;
        for (const [ref, packed] of packedByRef) put(ref, packed);
        for (const ref of textByRef.keys()) holdings.hold(runId, ref);
        return [];
      });
      if (missing.length === 0) return named.map(({ ref }) => ref);
      for (const ref of missing) await pack(ref);
    }
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
