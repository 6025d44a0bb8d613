import { z } from 'zod';
import { ArtifactRef } from '../../../contracts/run/artifact';
import { SearchOutcome } from '../../../contracts/run/search';
import { SourceEntry } from '../../../contracts/source/source';
import { hashOf } from '../../../sources/source-id';
import { Work } from '../../../search/found-works';
import { SearchHit } from '../../../search/search-provider';
import type { ContentStore } from '../../../stores/content-store';
import { readArtifact } from '../artifacts';

/** Of which run something is kept: an id may be given to another run, which is to ask for itself. */
export interface SearchingRun {
  runId: string;
  /** Of the run's first execution. */
  executionId: string;
}

export function keptAs({ runId, executionId }: SearchingRun): string {
  return hashOf(JSON.stringify([runId, executionId]));
}

export const SearchQueries = z.object({ queries: z.array(z.string()) });

export const Hits = z.array(SearchHit);

/** What indexes answered in one round, before anything is read: whatever is tried again sees the same. */
export const SearchResults = z.object({
  queries: z.array(z.string()),
  answers: z.array(z.object({ index: z.string(), query: z.string(), hits: Hits })),
  /** What could not be asked, and why. */
  problems: z.array(z.string()),
});

/** What a round may read, best first. */
export const ChosenWorks = z.object({ works: z.array(Work) });

export const TriedWork = z.object({
  round: z.int().positive(),
  keys: z.array(z.string()),
  outcome: SearchOutcome,
  reason: z.string().optional(),
  /** Of what was read, and of an abstract. */
  entries: z.array(SourceEntry),
});
export type TriedWork = z.infer<typeof TriedWork>;

/** What was tried in a batch; those before it lie behind a reference, so that nothing grows with them. */
const TriedWorks = z.object({ before: ArtifactRef.nullable(), tried: z.array(TriedWork) });

/** All that a search has tried so far, in the order in which it did. */
export async function readTried(content: ContentStore, triedRef: ArtifactRef | null): Promise<TriedWork[]> {
  const batches: TriedWork[][] = [];
  for (let ref = triedRef; ref !== null;) {
    const { before, tried } = await readArtifact(content, ref, TriedWorks);
    batches.unshift(tried);
    ref = before;
  }
  return batches.flat();
}
