import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { SourceEntry } from '../../../contracts/source/source';
import type { WordCounts } from '../../../contracts/report/word-counts';
import {
  createSignatureTable,
  putSignature,
  type SignatureTable,
} from '../../../core/duplicates/near-duplicate-signature';
import { addCounts } from '../../../reading/features/rarity';
import type { ContentStore } from '../../../stores/content-store';
import { readArtifact } from '../../shared/artifacts';
import type { Manifest } from '../../shared/manifest';
import { SummaryBatch } from './summarise-batch';

/** What is kept of each source while all are held against each other: small, since there may be very many. */
export interface GatheredEntry extends Pick<SourceEntry, 'id' | 'url' | 'contentChars' | 'contentRef'> {
  summaryRef: ArtifactRef;
  held: string[];
  /** Which sources were read together; absent where all were. */
  group: string | undefined;
}

export interface GatheredSources {
  /** In the manifest's order. */
  entries: GatheredEntry[];
  /** By their places in `entries`. */
  signatures: SignatureTable;
  counts: WordCounts;
}

/** What the batches found out, read one after the other. */
export async function readGathered(
  content: ContentStore,
  manifest: Manifest,
  batchRefs: readonly ArtifactRef[],
): Promise<GatheredSources> {
  const entries: GatheredEntry[] = [];
  const signatures = createSignatureTable(manifest.count);
  const counts: WordCounts[] = [];
  let start = 0;
  for (const ref of batchRefs) {
    const batch = await readArtifact(content, ref, SummaryBatch);
    const end = start + batch.sources.length;
    const given = new Map((await manifest.between(start, end)).map((entry) => [entry.id, entry]));
    for (const { id, summaryRef, signature, held, group } of batch.sources) {
      const entry = given.get(id);
      if (entry === undefined) throw new Error(`The manifest has no source ${id} where the batch has it.`);
      const { url, contentChars, contentRef } = entry;
      putSignature(signatures, entries.length, signature);
      entries.push({ id, url, contentChars, contentRef, summaryRef, held, group });
    }
    counts.push(batch.counts);
    start = end;
  }
  return { entries, signatures, counts: addCounts(counts) };
}
